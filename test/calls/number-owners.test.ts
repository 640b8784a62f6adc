// People call and text the customer's numbers, over both protocols: the adapter and the network agree on all of it.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openNumberOwner, type NumberOwner } from './number-owner.ts';

const person = '+12125550101';
const soon = { timeout: 20_000, interval: 50 };

describe.each(['twilio', 'telnyx'] as const)('over %s', (protocol) => {
  const optedOutCode = { twilio: 21_610, telnyx: 40_300 }[protocol];
  let owner: NumberOwner;
  let last = 100;

  beforeAll(async () => {
    owner = await openNumberOwner(protocol);
  });
  afterAll(() => owner.close());

  const number = () => `+12025550${++last}`;
  const sendText = (to: string, from = number()) =>
    owner.carrier.sendText({
      textId: 'txt_1',
      to,
      from,
      body: 'We tried to reach you.',
      statusCallbackUrl: `${owner.origin}/text-state`,
    });
  const statesOf = (carrierTextId: string) =>
    owner.came.textStates.filter((event) => event.carrierTextId === carrierTextId);
  async function sent(to: string) {
    const result = await sendText(to);
    if (result.kind !== 'sent') throw new Error(`not sent: ${result.kind}`);
    return result.carrierTextId;
  }

  describe('a text that we sent', () => {
    it('is told as sent, then as delivered', async () => {
      const id = await sent(person);
      await vi.waitFor(() => expect(statesOf(id)).toHaveLength(2), soon);
      expect(statesOf(id).map(({ state }) => state)).toEqual(['sent', 'delivered']);
      expect(statesOf(id)[1]).toMatchObject({ errorCode: null, optedOut: false });
    });

    it('that fails because the person opted out says so', async () => {
      const to = number();
      await owner.control('faults', { to, texts: { endsAs: 'failed', errorCode: optedOutCode } });
      const id = await sent(to);
      await vi.waitFor(() => expect(statesOf(id)).not.toEqual([]), soon);
      expect(statesOf(id)).toMatchObject([
        { state: 'failed', errorCode: `${optedOutCode}`, optedOut: true },
      ]);
    });

    it('that is not delivered names the code, and is no opt-out', async () => {
      const to = number();
      await owner.control('faults', { to, texts: { endsAs: 'undelivered', errorCode: 40_001 } });
      const id = await sent(to);
      await vi.waitFor(() => expect(statesOf(id)).toHaveLength(2), soon);
      expect(statesOf(id)[1]).toMatchObject({
        state: 'undelivered',
        errorCode: '40001',
        optedOut: false,
      });
    });
  });

  describe('a text that a person sends', () => {
    const received = (body: string) => owner.came.texts.filter((text) => text.body === body);

    it('comes with both numbers and its words, under one id however often it is told', async () => {
      const from = number();
      const to = number();
      await owner.control('faults', { to: from, callbacks: { copies: 3 } });
      await owner.control('texts', { from, to, body: 'Who is this?' });
      const texts = received('Who is this?');
      expect(texts).toHaveLength(3);
      expect(new Set(texts.map(({ carrierTextId }) => carrierTextId)).size).toBe(1);
      expect(texts[0]).toMatchObject({ from, to, handledAs: null });
    });

    it('which the carrier takes for STOP says so, and stops the number until START', async () => {
      const to = number();
      const stop = { from: person, to, body: 'halt', handled_as: 'STOP' };
      await owner.control('texts', stop);
      expect(received('halt')).toMatchObject([{ handledAs: 'stop' }]);
      expect(await sendText(person, to)).toMatchObject({ kind: 'refused', why: 'do_not_contact' });
      await owner.control('texts', { ...stop, body: 'go', handled_as: 'START' });
      expect(received('go')).toMatchObject([{ handledAs: 'start' }]);
      expect(await sendText(person, to)).toMatchObject({ kind: 'sent' });
    });
  });

  describe('a call to a number of ours', () => {
    const offersOf = (sid: string) =>
      owner.came.calls.filter(({ carrierCallId }) => carrierCallId === sid);
    const endOf = (sid: string) =>
      owner.came.callEvents.find(
        (event) =>
          event.kind === 'call_state' &&
          event.carrierCallId === sid &&
          event.state !== 'in_progress',
      );
    const statusOf = async (sid: string) => (await owner.callOf(sid))?.status;

    it('names both numbers, and is streamed to us alone until it is hung up', async () => {
      const to = number();
      owner.answers.set(to, { kind: 'connect', mediaUrl: owner.mediaUrl });
      // Every request about it comes three times, and it is answered once.
      await owner.control('faults', { to, callbacks: { copies: 3 } });
      const before = owner.came.sockets.length;
      const sid = await owner.callIn('silent', to);
      await vi.waitFor(() => expect(owner.came.sockets.length).toBe(before + 1), soon);
      expect(offersOf(sid)[0]).toEqual({
        carrierCallId: sid,
        calledNumber: to,
        callerNumber: '+12125550113',
      });
      expect(await statusOf(sid)).toBe('in-progress');
      expect(await owner.carrier.endCall(sid)).toBe('ended');
      await vi.waitFor(() => expect(endOf(sid)).toMatchObject({ state: 'completed' }), soon);
      expect(owner.came.sockets.length).toBe(before + 1);
    });

    it('of somebody who withholds their number is nobody known', async () => {
      const sid = await owner.callIn('silent', number(), true);
      await vi.waitFor(() => expect(offersOf(sid)).toMatchObject([{ callerNumber: null }]), soon);
    });

    it.each([
      ['busy', 'busy'],
      ['not_in_service', 'no-answer'],
    ] as const)('answered as %s is never taken', async (kind, status) => {
      const to = number();
      owner.answers.set(to, { kind });
      const sid = await owner.callIn('silent', to);
      await vi.waitFor(async () => expect(await statusOf(sid)).toBe(status), soon);
    });

    it('is told a sentence to its end, and hung up', async () => {
      const to = number();
      owner.answers.set(to, { kind: 'say', text: 'We cannot take your call now.' });
      await owner.control('faults', { to, callbacks: { copies: 3 } });
      const sid = await owner.callIn('books', to);
      await vi.waitFor(async () => expect(await statusOf(sid)).toBe('completed'), soon);
      expect((await owner.callOf(sid))?.heard).toContain('We cannot take your call now');
    });
  });

  it('sent nothing that was forged or could not be read', () => {
    expect(owner.came.refused).toEqual([]);
  });
});
