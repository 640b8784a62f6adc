// Records by sid, newest last, up to a number; the oldest that may go makes room.

export interface Recorded {
  readonly sid: string;
}

export class RecordBook<Entry extends Recorded> {
  readonly #entries = new Map<string, Entry>();
  readonly #entriesMax: number;
  readonly #mayGo: (entry: Entry) => boolean;

  constructor(entriesMax: number, mayGo: (entry: Entry) => boolean) {
    this.#entriesMax = entriesMax;
    this.#mayGo = mayGo;
  }

  add(entry: Entry): void {
    this.#entries.set(entry.sid, entry);
    if (this.#entries.size <= this.#entriesMax) return;
    for (const oldest of this.#entries.values())
      if (this.#mayGo(oldest)) {
        this.#entries.delete(oldest.sid);
        return;
      }
  }

  find(sid: string): Entry | undefined {
    return this.#entries.get(sid);
  }

  newestFirst(): Entry[] {
    return [...this.#entries.values()].toReversed();
  }
}
