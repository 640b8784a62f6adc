// The Checkout Sessions that the emulator knows, and what customers do with them.
import {
  createEvent,
  createSession,
  type Form,
  type Refusal,
  type Session,
  type StripeEvent,
} from './stripe-objects.ts';

export function createSessionBook(nowSeconds: () => number) {
  const sessions = new Map<string, Session>();
  const complete = { status: 'complete', url: null, payment_intent: 'pi_1' } as const;
  const change = (id: string, values: Partial<Session>): Session => {
    const session = sessions.get(id);
    if (!session) throw new Error('There is no such session.');
    return Object.assign(session, values);
  };
  const tell = (type: string, session: Session) =>
    createEvent(`checkout.session.${type}`, session, nowSeconds());
  return {
    create(form: Form): Session | Refusal {
      const made = createSession(form, nowSeconds());
      if ('id' in made) sessions.set(made.id, made);
      return structuredClone(made);
    },
    find: (id: string) => structuredClone(sessions.get(id)),
    list: () => [...sessions.values()],
    /** The customer pays; answers the event that Stripe would send. */
    pay(id: string, values: Partial<Session> = {}): StripeEvent {
      return tell('completed', change(id, { ...complete, payment_status: 'paid', ...values }));
    },
    /** The customer is done; the money comes later, or not. */
    promise: (id: string) => tell('completed', change(id, complete)),
    settlePromise(id: string, succeeds: boolean): StripeEvent {
      const session = change(id, succeeds ? { payment_status: 'paid' } : {});
      return tell(`async_payment_${succeeds ? 'succeeded' : 'failed'}`, session);
    },
    expire: (id: string) => tell('expired', change(id, { status: 'expired', url: null })),
  };
}
