// Runs flite.wasm once, on a system interface of its own: it sees no file, environment or clock.

export interface FliteOutput {
  /** What it printed. */
  readonly printed: string;
  /** The one file it wrote. */
  readonly wave: Uint8Array;
}

/** Throws when flite ends with an error or traps. */
export function runFlite(module: WebAssembly.Module, args: readonly string[]): FliteOutput {
  const host = new FliteHost(['flite', ...args]);
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: host.imports() });
  return host.run(instance);
}

const success = 0;
const badDescriptor = 8;
const cannotSeek = 70;
const rootDescriptor = 3;
const waveDescriptor = 4;
const directoryType = 3;
const regularFileType = 4;
const rootName = '/';

class ProcessExit extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`flite ended with code ${code}`);
    this.code = code;
  }
}

/** The 13 calls of WASI preview 1 that flite makes. */
class FliteHost {
  readonly #args: readonly Uint8Array[];
  readonly #printed: Uint8Array[] = [];
  readonly #wave: Uint8Array[] = [];
  #memory = new WebAssembly.Memory({ initial: 0 });

  constructor(args: readonly string[]) {
    this.#args = args.map((arg) => new TextEncoder().encode(`${arg}\0`));
  }

  run(instance: WebAssembly.Instance): FliteOutput {
    const { memory, _start: start } = instance.exports;
    if (!(memory instanceof WebAssembly.Memory) || typeof start !== 'function')
      throw new Error('flite.wasm is not a WASI program');
    this.#memory = memory;
    try {
      start();
    } catch (error) {
      if (!(error instanceof ProcessExit) || error.code !== 0) throw error;
    }
    const printed = Buffer.concat(this.#printed).toString();
    return { printed, wave: new Uint8Array(Buffer.concat(this.#wave)) };
  }

  imports(): Record<string, (...args: never[]) => number> {
    return {
      args_sizes_get: (countAt: number, bytesAt: number) => {
        const bytes = this.#args.reduce((total, arg) => total + arg.length, 0);
        return this.#setUint32s([countAt, this.#args.length], [bytesAt, bytes]);
      },
      args_get: (pointersAt: number, bytesAt: number) => this.#writeArgs(pointersAt, bytesAt),
      clock_time_get: (_clock: number, _precision: bigint, timeAt: number) => {
        this.#view().setBigUint64(timeAt, 0n, true);
        return success;
      },
      fd_close: () => success,
      fd_fdstat_get: (fd: number, statAt: number) => this.#writeStat(fd, statAt),
      fd_fdstat_set_flags: () => success,
      fd_prestat_get: (fd: number, statAt: number) =>
        fd === rootDescriptor
          ? this.#setUint32s([statAt, 0], [statAt + 4, rootName.length])
          : badDescriptor,
      fd_prestat_dir_name: (_fd: number, nameAt: number) => {
        this.#bytes().set(new TextEncoder().encode(rootName), nameAt);
        return success;
      },
      fd_read: (_fd: number, _vectorsAt: number, _count: number, readAt: number) =>
        this.#setUint32s([readAt, 0]),
      fd_seek: () => cannotSeek,
      fd_write: (fd: number, vectorsAt: number, count: number, writtenAt: number) =>
        this.#write(fd, vectorsAt, count, writtenAt),
      path_open: (...args: unknown[]) =>
        // The ninth argument says where the new descriptor goes.
        this.#setUint32s([Number(args[8]), waveDescriptor]),
      proc_exit: (code: number): never => {
        throw new ProcessExit(code);
      },
    };
  }

  #writeArgs(pointersAt: number, bytesAt: number): number {
    let at = bytesAt;
    for (const [index, arg] of this.#args.entries()) {
      this.#setUint32s([pointersAt + index * 4, at]);
      this.#bytes().set(arg, at);
      at += arg.length;
    }
    return success;
  }

  #writeStat(fd: number, statAt: number): number {
    if (fd > waveDescriptor) return badDescriptor;
    const view = this.#view();
    view.setUint16(statAt, fd === rootDescriptor ? directoryType : regularFileType, true);
    view.setUint16(statAt + 2, 0, true);
    view.setBigUint64(statAt + 8, -1n, true);
    view.setBigUint64(statAt + 16, -1n, true);
    return success;
  }

  #write(fd: number, vectorsAt: number, count: number, writtenAt: number): number {
    const sink = fd === waveDescriptor ? this.#wave : this.#printed;
    const view = this.#view();
    let written = 0;
    for (let index = 0; index < count; index += 1) {
      const at = view.getUint32(vectorsAt + index * 8, true);
      const length = view.getUint32(vectorsAt + index * 8 + 4, true);
      sink.push(this.#bytes().slice(at, at + length));
      written += length;
    }
    return this.#setUint32s([writtenAt, written]);
  }

  #setUint32s(...pairs: readonly (readonly [at: number, value: number])[]): number {
    for (const [at, value] of pairs) this.#view().setUint32(at, value, true);
    return success;
  }

  /** Made anew each time, because growing the memory detaches older views. */
  #view(): DataView {
    return new DataView(this.#memory.buffer);
  }

  #bytes(): Uint8Array {
    return new Uint8Array(this.#memory.buffer);
  }
}
