// Proves that every wallet is the sum of its ledger. Hourly, and whenever an operator asks.
import type { Context } from '../context.ts';
import { billingLimits } from './billing-limits.ts';
import { findProofFacts, listWallets } from './proof-queries.ts';
import { unknownWorkspace } from './transfer-answer.ts';
import { walletProblems } from './wallet-proof.ts';

export interface Proof {
  /** How many wallets were looked at. */
  readonly wallets: number;
  readonly broken: readonly { readonly workspaceId: string; readonly problems: string[] }[];
}

/** Every wallet, or one; throws AppError `not_found`. What is broken is logged as an error too. */
export async function proveWallets(
  ctx: Context,
  workspaceId: string | null = null,
): Promise<Proof> {
  const broken: Proof['broken'][number][] = [];
  let wallets = 0;
  for await (const id of workspaceId ? [workspaceId] : allWallets(ctx)) {
    const facts = await findProofFacts(ctx.db, id);
    if (!facts) {
      if (workspaceId) throw unknownWorkspace();
      continue;
    }
    wallets += 1;
    const problems = walletProblems(facts);
    if (problems.length === 0) continue;
    ctx.log.error({ workspaceId: id, problems }, 'a wallet does not add up');
    broken.push({ workspaceId: id, problems });
  }
  return { wallets, broken };
}

async function* allWallets(ctx: Context): AsyncGenerator<string> {
  const max = billingLimits.proofBatch;
  let after = '';
  for (;;) {
    const batch = await listWallets(ctx.db, { after, max });
    yield* batch;
    after = batch.at(-1) ?? '';
    if (batch.length < max) return;
  }
}
