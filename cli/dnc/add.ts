// `svc dnc add <number>`
import { addNumber } from '../../domain/do-not-contact/add-number.ts';
import { print, readMember, refuse, type DncCommand } from './dnc-command.ts';

export const addCommand: DncCommand = async (ctx, options) => {
  const by = await readMember(ctx, options);
  if (!by) return 1;
  const added = { by, typed: options.what ?? '', reason: options.reason ?? null };
  const answer = await addNumber(ctx, options.workspaceId, added);
  if (answer.kind === 'invalid_phone') return refuse('That is not a phone number.');
  const said = answer.kind === 'added' ? 'will not be contacted any more' : 'was listed before';
  print(`${answer.phone} ${said}.`);
  return 0;
};
