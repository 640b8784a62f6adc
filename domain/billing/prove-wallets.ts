// Proves that every wallet is the sum of its ledger. Hourly, and whenever an operator asks.
import { isDatabaseFailure } from '../../platform/db.ts';
import type { Context } from '../context.ts';
import { billingLimits } from './billing-limits.ts';
import * as queries from './proof-queries.ts';
import { unknownWorkspace } from './transfer-answer.ts';
import { walletProblems } from './wallet-proof.ts';

export interface Proof {
  /** How many wallets were looked at. */
  readonly wallets: number;
  readonly broken: readonly { readonly workspaceId: string; readonly problems: string[] }[];
}

const hourMs = 3_600_000;

/** Every wallet, as the jobs do it each hour: sums are whole, single transfers those of the last days. */
export function proveLately(ctx: Context): Promise<Proof> {
  const backMs = billingLimits.proofLooksBackHours * hourMs;
  return proveWallets(ctx, null, new Date(ctx.clock.now().getTime() - backMs));
}

/** Every wallet, or one; throws AppError `not_found`. What is broken is logged as an error too. */
export async function proveWallets(
  ctx: Context,
  workspaceId: string | null = null,
  since: Date | null = null,
): Promise<Proof> {
  const broken: Proof['broken'][number][] = [];
  let wallets = 0;
  for await (const id of workspaceId ? [workspaceId] : allWallets(ctx)) {
    const problems = await problemsOf(ctx, id, since);
    if (!problems && workspaceId) throw unknownWorkspace();
    if (!problems) continue;
    wallets += 1;
    if (problems.length === 0) continue;
    ctx.log.error({ workspaceId: id, problems }, 'a wallet does not add up');
    broken.push({ workspaceId: id, problems });
  }
  return { wallets, broken };
}

/** Null when the wallet is gone. One that cannot be read is not proved, and keeps no other from it. */
async function problemsOf(ctx: Context, workspaceId: string, since: Date | null) {
  try {
    const wallet = await queries.findWalletFacts(ctx.db, workspaceId);
    if (!wallet) return null;
    const transfers = { unbalancedTransfers: 0, wrongCharges: 0 };
    for await (const period of periodsOf(ctx, workspaceId, since)) {
      const facts = await queries.findTransferFacts(ctx.db, workspaceId, period);
      transfers.unbalancedTransfers += facts.unbalancedTransfers;
      transfers.wrongCharges += facts.wrongCharges;
    }
    return walletProblems({ ...wallet, ...transfers });
  } catch (err) {
    if (!isDatabaseFailure(err)) throw err;
    ctx.log.error({ workspaceId, err }, 'a wallet could not be proved');
    return ['it could not be read, so nothing is proved'];
  }
}

/** A ledger of years takes longer than one statement may. */
async function* periodsOf(
  ctx: Context,
  workspaceId: string,
  since: Date | null,
): AsyncGenerator<queries.Period> {
  const span = await queries.findLedgerSpan(ctx.db, workspaceId);
  if (!span) return;
  const stepMs = billingLimits.proofStepHours * hourMs;
  const start = Math.max(span.first.getTime(), since?.getTime() ?? 0);
  for (let fromMs = start; fromMs <= span.last.getTime(); fromMs += stepMs)
    yield { from: new Date(fromMs), until: new Date(fromMs + stepMs) };
}

async function* allWallets(ctx: Context): AsyncGenerator<string> {
  const max = billingLimits.proofBatch;
  let after = '';
  for (;;) {
    const batch = await queries.listWallets(ctx.db, { after, max });
    yield* batch;
    after = batch.at(-1) ?? '';
    if (batch.length < max) return;
  }
}
