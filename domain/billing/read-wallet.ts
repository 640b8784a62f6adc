// A wallet with the proof that its balance is the sum of its ledger.
import type { Context } from '../context.ts';
import { findWallet, type WalletProof } from './wallet-queries.ts';

export async function readWallet(ctx: Context, workspaceId: string): Promise<WalletProof> {
  const wallet = await findWallet(ctx.db, workspaceId);
  if (!wallet) throw new Error('The workspace has no wallet.');
  return wallet;
}
