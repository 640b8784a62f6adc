// `svc dnc remove <number>`
import { removeNumber } from '../../domain/do-not-contact/remove-number.ts';
import { print, readMember, refuse, type DncCommand } from './dnc-command.ts';

export const removeCommand: DncCommand = async (ctx, options) => {
  if (!options.reason) return refuse('--reason is required: the history keeps why.');
  const by = await readMember(ctx, options);
  if (!by) return 1;
  const removed = { by, typed: options.what ?? '', reason: options.reason };
  switch (await removeNumber(ctx, options.workspaceId, removed)) {
    case 'removed':
      print('Removed. It may be contacted again.');
      return 0;
    case 'not_listed':
      return refuse('That number is not on the list.');
    case 'kept':
      return refuse('The number stays: what lists it is for an owner to lift. See `svc dnc why`.');
    case 'invalid_phone':
      return refuse('That is not a phone number.');
  }
};
