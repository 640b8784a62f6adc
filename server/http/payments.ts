// What the payment provider tells: who sent it is proven over the raw bytes first, then one verb applies it.
import type { FastifyInstance } from 'fastify';
import { applyCheckout } from '../../domain/billing/apply-checkout.ts';
import type { Payments } from '../../domain/billing/payments.ts';
import type { Context } from '../../domain/context.ts';
import { sendError } from './error-answer.ts';

const limits = { bodyMaxBytes: 262_144 } as const;

const thanks = 'Thank you. The deposit is in the wallet once the payment is confirmed.\n';

/** Registers `/payments/...`; in a scope of its own, because it alone takes bytes as they came. */
export function registerPaymentRoutes(
  app: FastifyInstance,
  ctx: Context,
  payments: Payments,
): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: limits.bodyMaxBytes },
      (_request, body, done) => done(null, body),
    );
    scope.post(`/payments/${payments.name}`, async (request, reply) => {
      const signature = request.headers['stripe-signature'];
      const reading = payments.readEvent({
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
        signature: typeof signature === 'string' ? signature : undefined,
        receivedAt: ctx.clock.now(),
      });
      if (reading.kind === 'forged') {
        ctx.log.warn({ requestId: request.id }, 'payment event with a wrong signature was refused');
        return sendError(reply, 'invalid_request', {
          message: 'Stripe-Signature: does not match the body.',
        });
      }
      ctx.log.debug({ eventId: reading.eventId, kind: reading.kind }, 'payment event came');
      // What was spent meanwhile cannot be taken back by rule: an operator decides on the adjustment.
      if (reading.kind === 'reversed')
        ctx.log.error(
          { eventId: reading.eventId, depositId: reading.depositId },
          'a payment was refunded or disputed; adjust the wallet',
        );
      if (reading.kind === 'checkout') await applyCheckout(ctx, reading.checkout);
      return reply.send({ success: true });
    });
    // Where the provider sends the customer's browser back to.
    scope.get('/payments/return', (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send(thanks),
    );
  });
}
