// Tells the benchmark where a server listens and what it uses, and ends it when the benchmark ends.

export type ServerReport =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'usage'; readonly rssMb: number; readonly cpuMs: number };

export function reportToParent(port: number): void {
  process.on('disconnect', () => process.exit());
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    const rssMb = Math.round(process.memoryUsage.rss() / 1_048_576);
    process.send?.({ kind: 'usage', rssMb, cpuMs: (user + system) / 1_000 } satisfies ServerReport);
  });
  process.send?.({ kind: 'listening', port } satisfies ServerReport);
}
