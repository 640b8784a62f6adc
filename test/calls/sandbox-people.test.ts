import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlayoutQueue } from '../../adapters/carriers/sandbox/line/playout-queue.ts';
import { parseTwiml } from '../../adapters/carriers/sandbox/twilio/twiml.ts';
import { answerTo } from '../../adapters/carriers/sandbox/people/answer-question.ts';
import { createFlite } from '../../adapters/speech/flite.ts';
import { createSubtitlesRecogniser } from '../../adapters/speech/subtitles.ts';
import { openCustomer, streamTwiml } from '../voice/support/sandbox-customer.ts';
import type { Customer, ReceivedStream } from '../voice/support/sandbox-customer.ts';

describe('a willing person', () => {
  test.each([
    ['Are you the homeowner?', 'Yes, I am.'],
    ['Great. Do you have a garage?', 'Yes, I do.'],
    ['Hi, is this Ada?', 'Yes, speaking.'],
    ['Would you mind a short call?', 'Yes.'],
    ['How old is your roof in years?', 'About 12.'],
    ['Do you know how many rooms it has?', 'About 12.'],
    ['What is your budget?', 'About 5000 dollars.'],
    ['When would you like to start: this month, next month or later?', 'This month.'],
    ['Do you own or rent?', 'Own.'],
    ['What is the address of the property?', 'It is 12 Oak Street, Springfield.'],
    ['When did you move in?', 'As soon as possible, this month.'],
    [
      'I have Tuesday at 10 AM or Tuesday at 11 AM. Which works better for you?',
      'Tuesday at 10 AM works for me.',
    ],
    [
      'I can offer Tuesday, May 4 at 2:30 p.m., or Friday at 9 AM. Which one works for you?',
      'Tuesday, May 4 at 2:30 p.m works for me.',
    ],
    ['Great, you are booked for Tuesday at 10 AM.', 'Perfect, thank you. Goodbye.'],
    ['You are booked for Tuesday. Is there anything else?', 'No, that is all. Thank you.'],
    ['This call may be recorded.', 'Okay.'],
    ['', 'Yes, sure.'],
  ])('hears %j and says %j', (heard, says) => {
    expect(answerTo(heard)).toEqual({ says, afterwards: 'listens' });
  });

  test('hangs up when the other says goodbye', () => {
    expect(answerTo('Thank you for your time. Goodbye.').afterwards).toBe('hangs_up');
  });
});

describe('the playout queue', () => {
  test('plays every byte in order and gives each mark back when it was reached', () => {
    const step = fc.oneof(
      fc.record({ push: fc.uint8Array({ maxLength: 500 }) }),
      fc.record({ mark: fc.string({ maxLength: 5 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const queue = new PlayoutQueue();
        const bytes: number[] = [];
        const marks: string[] = [];
        const reached: string[] = [];
        for (const each of steps) {
          if ('push' in each) bytes.push(...each.push);
          if ('push' in each) queue.push(each.push);
          else {
            marks.push(each.mark);
            reached.push(...queue.mark(each.mark));
          }
        }
        const frame = new Uint8Array(Math.ceil(bytes.length / 160) * 160);
        for (let at = 0; at < frame.length; at += 160)
          reached.push(...queue.play(frame.subarray(at, at + 160)));
        expect([...frame.subarray(0, bytes.length)]).toEqual(bytes);
        expect(reached).toEqual(marks);
      }),
    );
  });
});

describe('TwiML', () => {
  test.each([
    ['<Response/>', []],
    ['<?xml version="1.0"?>\n<!-- hi --><Response><Hangup /></Response>\n', [{ kind: 'hang_up' }]],
    ["<Response><Pause length='3'></Pause></Response>", [{ kind: 'pause', seconds: 3 }]],
    ['<Response><Say>Hi &amp; bye</Say></Response>', [{ kind: 'say', text: 'Hi & bye' }]],
    ['<Response><Say><![CDATA[A & B]]></Say></Response>', [{ kind: 'say', text: 'A & B' }]],
    ['<Response><Reject reason="busy"/></Response>', [{ kind: 'reject', reason: 'busy' }]],
    ['<Response><Reject/></Response>', [{ kind: 'reject', reason: 'rejected' }]],
    ['<Response><Play>a.mp3</Play></Response>', [{ kind: 'not_here', name: 'Play' }]],
    [
      '<Response><Connect><Stream url="wss://x/a&#47;b"/></Connect></Response>',
      [{ kind: 'stream', url: 'wss://x/a/b', parameters: {} }],
    ],
    ['<Response><Hangup></Response>', null],
    ['<Response></Response><Response/>', null],
    ['<Answer/>', null],
    ['plain text', null],
    ['', null],
  ])('%j', (document, verbs) => {
    expect(parseTwiml(document)).toEqual(verbs);
  });
});

describe('people on the phone', () => {
  let customer: Customer;
  const flite = createFlite();
  beforeAll(async () => {
    customer = await openCustomer({ simulationSpeed: 5 });
  });
  afterAll(async () => {
    await customer[Symbol.asyncDispose]();
    await flite[Symbol.asyncDispose]();
  });

  test.concurrent('greet, answer what is asked, and hang up after the goodbye', async () => {
    const call = await answeredCall('+12125550101');
    await call.hears('Hello?');
    await call.say('Are you the homeowner?');
    await call.hears('Yes, I am.');
    await call.say('I have Tuesday at 10 AM. Which time works for you?');
    await call.hears('Tuesday at 10 AM works for me.');
    await call.say('Goodbye.');
    await call.hears('Thank you, goodbye.');
    expect(await call.stream.closed).toBe(1_000);
  });

  test.concurrent('tell us to stop while we still talk', async () => {
    const call = await answeredCall('+12125550104');
    await call.hears('Hello?');
    await call.say(
      'This is the virtual assistant of a roofing company. We would like to help you.',
    );
    await call.hears('Stop calling me.');
    expect(call.stream.messages.items.some(({ event }) => event === 'mark')).toBe(false);
  });

  test.concurrent('take turns by ear when our voice carries no words', async () => {
    const call = await answeredCall('+12125550502');
    await call.hears('Hello?');
    await call.say('Are you the homeowner?', (byte) => byte | 1);
    expect(await call.hears('Yes, sure.')).toContain('Hello? Yes, sure.');
  });

  test.concurrent('have machines, which greet and then beep', async () => {
    const call = await answeredCall('+12125550107');
    await call.hears('Please leave a message after the tone.');
    const loud = await call.stream.messages.first(({ media }) => isTone(media));
    expect(loud).toBeDefined();
  });

  async function answeredCall(to: string) {
    const path = `/talk/${to}`;
    const twiml = streamTwiml(customer.media.url + path);
    await customer.client.calls.create({ to, from: '+12025550100', twiml });
    const stream = await customer.media.inbox.first((each) => each.path === path);
    return { stream, hears: hearingOn(stream), say: sayingOn(stream) };
  }

  function sayingOn(stream: ReceivedStream) {
    return async (text: string, change: (byte: number) => number = (byte) => byte) => {
      for await (const { mulaw } of flite.speak(text, { voice: 'slt' })) {
        const payload = Buffer.from(mulaw.map(change)).toString('base64');
        stream.send('media', { media: { payload } });
      }
      stream.send('mark', { mark: { name: text.slice(0, 20) } });
    };
  }
});

/** Resolves once the person has said these words. */
function hearingOn(stream: ReceivedStream) {
  let said = '';
  let read = 0;
  const session = createSubtitlesRecogniser().open({
    heard: ({ kind, text }) => void (kind === 'final' && (said += `${text} `)),
    failed: (error) => {
      throw error;
    },
  });
  return async (words: string) => {
    await stream.messages.first(() => {
      for (; read < stream.messages.items.length; read += 1) {
        const media = stream.messages.items[read]?.['media'];
        if (hasPayload(media)) session.push(Buffer.from(media.payload, 'base64'), read * 20);
      }
      return said.includes(words);
    });
    return said;
  };
}

function hasPayload(media: unknown): media is { payload: string } {
  return typeof media === 'object' && media !== null && 'payload' in media;
}

/** A 1,000 Hz tone repeats every 8 samples. */
function isTone(media: unknown): boolean {
  if (!hasPayload(media)) return false;
  const mulaw = Buffer.from(media.payload, 'base64');
  return (
    mulaw.subarray(0, 8).some((byte) => byte < 0xc0) &&
    mulaw.subarray(8).equals(mulaw.subarray(0, -8))
  );
}
