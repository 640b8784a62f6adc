// Postgres refuses to run as root, so root hands it to a user without rights.
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface OsUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Null when we are not root and Postgres can run as ourselves. */
export async function findPostgresUser(clusterDirectory: string): Promise<OsUser | null> {
  if (process.getuid?.() !== 0) return null;
  const users = parsePasswd(await readFile('/etc/passwd', 'utf8'));
  const owner = await stat(clusterDirectory).catch(() => null);
  const user =
    users.find(({ uid }) => uid !== 0 && uid === owner?.uid) ??
    users.find(({ name }) => name === 'postgres') ??
    users.find(({ name }) => name === 'nobody');
  if (!user) throw new Error('Postgres cannot run as root and there is no user "nobody".');
  return user;
}

/** Throws, naming the directory, when the user cannot pass through to the path. */
export async function checkReach(user: OsUser, path: string): Promise<void> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const needed = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & needed) === 0)
      throw new Error(
        `Postgres cannot run as root, and user "${user.name}" may not enter ${folder}. ` +
          'Start as another user, move the project elsewhere, or set DATABASE_URL.',
      );
    if (folder === dirname(folder)) return;
  }
}

function parsePasswd(text: string): OsUser[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (!name || !uid || !gid) return [];
    return [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}
