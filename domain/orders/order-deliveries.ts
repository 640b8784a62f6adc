// The event that tells a move, addressed and written down.
import { newId } from '../../platform/ids.ts';
import type { Context } from '../context.ts';
import { destinationOf, eventBody } from '../webhooks/order-event.ts';
import type { Order } from './order.ts';
import { orderReport } from './order-body.ts';
import type { OrderEventName } from './order-machine.ts';
import type { OrderMove } from './order-move.ts';
import type { OrderFile } from './order-queries.ts';
import { transcriptOf } from './transcript.ts';

/** Empty when nothing is sent or nobody listens. */
export function deliveriesOf(
  ctx: Context,
  file: OrderFile,
  after: Order,
  event: OrderEventName,
  now: Date,
): OrderMove['deliveries'] {
  const url = destinationOf({
    test: file.order.test,
    simulated: file.order.simulated,
    orderUrl: file.order.webhookUrl,
    defaultUrl: file.defaultWebhookUrl,
    testUrl: file.testWebhookUrl,
  });
  if (!event || !url) return [];
  const { recorded } = file;
  const report = orderReport(
    { order: after, recorded, turns: transcriptOf(file) },
    ctx.settings.publicUrl,
  );
  const body = eventBody(event, report);
  return [{ id: newId('dlv', now), event, url, body }];
}
