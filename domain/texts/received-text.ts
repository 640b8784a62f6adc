// One text of a person for one workspace, as the SQL function receive_text takes it.
import type { OptOutSource } from '../do-not-contact/opt-out.ts';
import type { TextWish } from './read-wish.ts';

export interface ReceivedText {
  readonly workspaceId: string;
  readonly textId: string;
  readonly carrierTextId: string;
  readonly phone: string;
  readonly callerNumber: string;
  readonly body: string;
  readonly orderId: string | null;
  readonly wish: TextWish['kind'];
  /** Of an opt-out. */
  readonly source: OptOutSource | null;
  /** The words of the wish. */
  readonly quote: string | null;
  /** Sent once if the wish changed something; null when the carrier has answered already. */
  readonly answer: string | null;
  readonly answerId: string;
  readonly now: Date;
}
