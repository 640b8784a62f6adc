// Keeps recordings in a folder.
import { constants, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { randomOctets } from '../../platform/ids.ts';
import type {
  ByteRange,
  OpenedRecording,
  RecordingStore,
} from '../../domain/calls/recording-store.ts';

const limits = {
  keyCharacters: 200,
} as const;

export function createDiskStore(folder: string): RecordingStore {
  const root = resolve(folder);
  return {
    put: async (key, source) => put(pathOf(root, key), source),
    open: async (key, range) => openRange(pathOf(root, key), range),
    remove: async (key) => {
      const path = pathOf(root, key);
      await rm(path, { force: true });
      await syncFolder(dirname(path));
    },
  };
}

/** Names joined by slashes; none begins with a dot, so no key leaves the folder or meets a partial file. */
function pathOf(root: string, key: string): string {
  const valid = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*)(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/.test(key);
  if (!valid || key.length > limits.keyCharacters) throw new Error('not a recording key');
  return join(root, key);
}

async function put(path: string, source: string | Uint8Array): Promise<void> {
  const folder = dirname(path);
  const suffix = Buffer.from(randomOctets(8)).toString('hex');
  const partialPath = join(folder, `.${suffix}.partial`);
  await mkdir(folder, { recursive: true });
  try {
    if (typeof source === 'string') await copyFile(source, partialPath, constants.COPYFILE_EXCL);
    await using file = await open(partialPath, typeof source === 'string' ? 'r+' : 'wx', 0o600);
    if (typeof source !== 'string') await file.writeFile(source);
    await file.sync();
    await rename(partialPath, path);
  } catch (error) {
    await rm(partialPath, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

async function openRange(path: string, range?: ByteRange): Promise<OpenedRecording> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r');
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error('not a recording');
    const from = range?.from ?? 0;
    const to = Math.min(range?.to ?? stats.size - 1, stats.size - 1);
    if (range && to < from) {
      await file.close();
      return { kind: 'out_of_range', sizeBytes: stats.size };
    }
    const stream = file.createReadStream({ start: from, end: Math.max(to, 0) });
    return { kind: 'found', stream, sizeBytes: stats.size, etag: etagOf(stats) };
  } catch (error) {
    await file?.close().catch(() => {});
    return { kind: codeOf(error) === 'ENOENT' ? 'missing' : 'unavailable' };
  }
}

/** Every put makes a new file, so its inode and time change even when the size does not. */
function etagOf({ ino, mtimeMs, size }: Stats): string {
  const parts = [ino, Math.round(mtimeMs * 1_000), size];
  return `"${parts.map((part) => part.toString(36)).join('-')}"`;
}

/** A rename or removal is durable once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  try {
    await using handle = await open(folder, 'r');
    await handle.sync();
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
