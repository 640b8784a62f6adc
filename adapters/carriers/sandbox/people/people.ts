// Who lives in the sandbox network. Any other valid number belongs to somebody like `books`.
import { offersTimes } from './answer-question.ts';
import type { Person, Reaction, Reply, TalkingBehaviour } from './person.ts';

const anything = /./;
const answersSoon = { kind: 'answers', afterMs: 3_000 } as const;

/** Key and number of everybody; 555-01XX numbers exist nowhere else. */
export const people: readonly Person[] = [
  talker('books', '+12125550101', {}),
  talker('qualifies', '+12125550102', {
    voice: 'awb',
    replies: [reaction(offersTimes, 'Just email me the details please, I am interested though.')],
  }),
  talker('not_interested', '+12125550103', {
    replies: [
      reaction(anything, 'No thank you, I am not interested.'),
      reaction(anything, 'No thanks, goodbye.', 'hangs_up'),
    ],
  }),
  talker('stop_calling', '+12125550104', {
    voice: 'awb',
    interjections: [reaction(/assistant|calling/i, 'Stop calling me.')],
    replies: [reaction(anything, 'Do not call me again. Goodbye.', 'hangs_up')],
  }),
  talker('objects_to_recording', '+12125550105', {
    replies: [reaction(/record/i, "Please don't record this call.")],
  }),
  talker('talks_over', '+12125550106', {
    voice: 'kal',
    interjections: [reaction(/assistant|calling/i, 'Hello? Who is this?')],
  }),
  {
    key: 'voicemail',
    phone: '+12125550107',
    pickUp: { kind: 'answers', afterMs: 6_000 },
    behaviour: {
      kind: 'machine',
      voice: 'rms',
      greeting:
        'Hi, you have reached my voicemail. I cannot come to the phone right now. ' +
        'Please leave a message after the tone.',
    },
  },
  { ...talker('no_answer', '+12125550108', {}), pickUp: { kind: 'never' } },
  { ...talker('busy', '+12125550109', {}), pickUp: { kind: 'busy' } },
  {
    key: 'hangs_up',
    phone: '+12125550110',
    pickUp: answersSoon,
    behaviour: { kind: 'hangs_up', afterMs: 600 },
  },
  {
    ...talker('invalid', '+12125550111', {}),
    refusedCall: 'invalid_number',
    refusedText: 'invalid_number',
  },
  { ...talker('texts_stopped', '+12125550112', {}), refusedText: 'texts_stopped' },
  {
    key: 'silent',
    phone: '+12125550113',
    pickUp: answersSoon,
    behaviour: { kind: 'hangs_up', afterMs: 120_000 },
  },
];

export function personAt(phone: string): Person {
  return byPhone.get(phone) ?? talker('books', phone, {});
}

const byPhone = new Map(people.map((person) => [person.phone, person]));

function talker(
  key: string,
  phone: string,
  habits: Partial<Omit<TalkingBehaviour, 'kind'>>,
): Person {
  return {
    key,
    phone,
    pickUp: answersSoon,
    behaviour: { kind: 'talks', voice: 'rms', interjections: [], replies: [], ...habits },
  };
}

function reaction(
  hears: RegExp,
  says: string,
  afterwards: Reply['afterwards'] = 'listens',
): Reaction {
  return { hears, reply: { says, afterwards } };
}
