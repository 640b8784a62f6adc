/** What every benchmark prints: its figure, the bare minimum measured in the same run, and their ratio. */
export interface BenchResult {
  readonly name: string;
  readonly floor: number;
  readonly measured: number;
  readonly ratio: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly rss_mb: number;
}
