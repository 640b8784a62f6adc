// Postgres refuses to run as root, so root hands it to a user without rights.
import { access, constants, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface OsUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Who Postgres runs as; `passesDoors` when folders on its way are closed to that user. */
export interface RunAs extends OsUser {
  readonly passesDoors: boolean;
}

const setpriv = '/usr/bin/setpriv';

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

/**
 * A project of root's may lie behind a folder that nobody else enters (a fresh `mktemp -d`, `/root`). Then the user is
 * let through, and gets no other right. Throws, naming the folder, when this machine cannot do that.
 */
export async function letThrough(user: OsUser, path: string): Promise<RunAs> {
  const closed = await closedFolder(user, path);
  if (!closed) return { ...user, passesDoors: false };
  const able = await access(setpriv, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (able) return { ...user, passesDoors: true };
  throw new Error(
    `Postgres cannot run as root, and user "${user.name}" may not enter ${closed}. ` +
      'Start as another user, move the project elsewhere, or set DATABASE_URL.',
  );
}

/** The command line and spawn options that run a program as this user. */
export function commandAs(user: RunAs | null, program: string, args: readonly string[]) {
  if (!user) return { command: program, args, as: {} };
  if (!user.passesDoors) return { command: program, args, as: { uid: user.uid, gid: user.gid } };
  const rights = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  const identity = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  return { command: setpriv, args: [...identity, ...rights, '--', program, ...args], as: {} };
}

/** The first folder on the way to a path that the user may not enter. */
export async function closedFolder(user: OsUser, path: string): Promise<string | null> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const needed = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & needed) === 0) return folder;
    if (folder === dirname(folder)) return null;
  }
}

function parsePasswd(text: string): OsUser[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (!name || !uid || !gid) return [];
    return [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}
