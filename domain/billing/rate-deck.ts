// What a destination costs above the usual minute: rows by prefix, the longest that is in force decides. Pure.

export interface RateDeckRow {
  /** Leading digits with the country code, without `+`. */
  readonly prefix: string;
  readonly action: 'allow' | 'surcharge' | 'block';
  /** On top of each started minute; 0 unless the action is `surcharge`. */
  readonly surchargeMicrosPerMinute: number;
  readonly label: string;
  /** In force from this moment on, and before `untilMs`; times in milliseconds since 1970. */
  readonly fromMs: number;
  /** Infinity when open. */
  readonly untilMs: number;
}

export class RateDeck {
  readonly #rows = new Map<string, Stacked>();
  /** The prefix lengths that occur, longest first. */
  #lengths: readonly number[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** False when a row of the same prefix begins at the same time. */
  add(row: RateDeckRow): boolean {
    const top = this.#rows.get(row.prefix);
    for (let other = top; other; other = other.below)
      if (other.row.fromMs === row.fromMs) return false;
    this.#rows.set(row.prefix, { row, below: top });
    this.#size++;
    if (!this.#lengths.includes(row.prefix.length))
      this.#lengths = [...this.#lengths, row.prefix.length].toSorted((a, b) => b - a);
    return true;
  }

  /** The row that prices a number at a time; null when none does. */
  find(e164: string, now: Date): RateDeckRow | null {
    for (const length of this.#lengths) {
      const top = this.#rows.get(e164.slice(1, 1 + length));
      const row = top && inForce(top, now.getTime());
      if (row) return row;
    }
    return null;
  }
}

/** Rows of one prefix with other dates; nearly always one. */
interface Stacked {
  readonly row: RateDeckRow;
  readonly below: Stacked | undefined;
}

/** Of several in force, the one that began last. */
function inForce(top: Stacked, nowMs: number): RateDeckRow | null {
  let latest: RateDeckRow | null = null;
  for (let stacked: Stacked | undefined = top; stacked; stacked = stacked.below) {
    const { row } = stacked;
    if (row.fromMs > nowMs || nowMs >= row.untilMs) continue;
    if (!latest || row.fromMs > latest.fromMs) latest = row;
  }
  return latest;
}

/** The port: where the deck of today comes from. */
export interface RateDecks {
  /** Rejects when the deck cannot be read; then nothing is dialled. */
  current(): Promise<RateDeck>;
}
