// A file that is written in the background while a call runs, and that never disturbs the call.
import { mkdir, open, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

const limits = {
  /** A disk this far behind will not catch up. */
  writesInFlight: 30,
} as const;

export interface RawFile {
  /** A fault happened and was reported; nothing more is written. */
  readonly broken: boolean;
  readonly write: (octets: Uint8Array, offset: number) => void;
  giveUp(error: Error): void;
  /** Sets the size, makes it durable, gives it its final name; false after any fault. */
  keepAs(path: string, sizeOctets: number): Promise<boolean>;
  /** Waits for the writes under way; false when the disk refuses. */
  remove(path: string): Promise<boolean>;
}

/** Returns at once: writes wait for the file to open, and the first fault stops all of them. */
export function openRawFile(path: string, failed: (error: Error) => void): RawFile {
  const opened = create(path);
  const writes = new Set<Promise<void>>();
  let broken = false;
  let closed: Promise<void> | undefined;

  const giveUp = (error: unknown) => {
    if (broken) return;
    broken = true;
    failed(error instanceof Error ? error : new Error(String(error)));
  };
  opened.catch(giveUp);
  const settle = async () => {
    await Promise.all(writes);
    if (broken) throw new Error('the recording was given up');
    return opened;
  };
  const close = () => (closed ??= opened.then((handle) => handle.close(), giveUp));

  return {
    get broken() {
      return broken;
    },
    giveUp,
    write(octets, offset) {
      if (broken) return;
      if (writes.size >= limits.writesInFlight) return giveUp(new Error('the disk is too slow'));
      const written = writeFully(opened, octets, offset).catch(giveUp);
      writes.add(written);
      void written.then(() => writes.delete(written));
    },
    async keepAs(finalPath, sizeOctets) {
      try {
        const handle = await settle();
        await handle.truncate(sizeOctets);
        await handle.datasync();
        await close();
        await rename(path, finalPath);
        return true;
      } catch (error) {
        giveUp(error);
        await close().catch(giveUp);
        return false;
      }
    },
    async remove(removedPath) {
      try {
        await Promise.all(writes);
        await close();
        await rm(removedPath, { force: true });
        return true;
      } catch (error) {
        failed(error instanceof Error ? error : new Error(String(error)));
        return false;
      }
    },
  };
}

async function create(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true });
  return open(path, 'wx', 0o600);
}

async function writeFully(opened: Promise<FileHandle>, octets: Uint8Array, offset: number) {
  const handle = await opened;
  for (let done = 0; done < octets.length;) {
    const { bytesWritten } = await handle.write(octets, done, octets.length - done, offset + done);
    done += bytesWritten;
  }
}
