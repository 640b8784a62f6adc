// What the ledger answered, as a refusal where it is one. Pure.
import { AppError } from '../app-error.ts';
import type { TransferAnswer } from './ledger-queries.ts';

export function answerOfTransfer(answer: TransferAnswer): 'done' | 'repeated' {
  if (answer === 'no_wallet') throw unknownWorkspace();
  if (answer === 'conflict')
    throw new AppError(
      'idempotency_key_conflict',
      'key: it was used before with another amount; nothing was changed.',
    );
  return answer;
}

export function unknownWorkspace(): AppError {
  return new AppError('not_found', 'workspace: there is no workspace with this id.');
}
