// `svc dnc why <number>`: why it cannot be called, and all that happened with it.
import { explainNumber } from '../../domain/do-not-contact/explain-number.ts';
import { print, refuse, type DncCommand } from './dnc-command.ts';

export const whyCommand: DncCommand = async (ctx, { workspaceId, what = '' }) => {
  const explained = await explainNumber(ctx, workspaceId, what);
  if (!explained) return refuse('That is not a phone number.');
  const { phone, listed, entries } = explained;
  print(
    listed
      ? `${phone} may not be contacted: ${listed.source} at ${listed.createdAt.toISOString()}.`
      : `${phone} is not on the do-not-contact list.`,
  );
  for (const { at, kind, what: how, orderId, quote, by, reason } of entries) {
    const rest = [orderId, quote && `"${quote}"`, by && `by ${by}`, reason].filter(Boolean);
    print([at.toISOString(), kind.padEnd(13), how, ...rest].join('  '));
  }
  return 0;
};
