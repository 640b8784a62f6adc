// What a text asks for, however it is typed.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWish } from '../../domain/texts/read-wish.ts';

const stop = { kind: 'opt_out', source: 'text_reply' };
const stopWords = [
  'stop,stop all,stopall,unsubscribe,cancel,end,quit,revoke,optout,opt out,opt-out,remove',
  'arret,arrêt,alto',
].flatMap((line) => line.split(','));
const punctuation = ` \n\t.,!?;:'"“”‘’«»()*_~-`.split('');
const around = fc.string({
  unit: fc.constantFrom(...punctuation, '\u200B', '\uFE0F'),
  maxLength: 6,
});
const emoji = fc.constantFrom('', '🛑', '😡😡', '👋🏽', '✋', '🙏 ');
const trailing = fc.constantFrom(
  '',
  ' please',
  ' now',
  ' PLS',
  ' thanks',
  ', thank you',
  ' it now!',
);

/** Each letter upper or lower. */
const inAnyCase = (words: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...words), fc.infiniteStream(fc.boolean()))
    .map(([word, upper]) =>
      Array.from(word, (letter) => (upper.next().value ? letter.toUpperCase() : letter)).join(''),
    );

const typed = (words: readonly string[], behind: fc.Arbitrary<string>) =>
  fc.tuple(emoji, around, inAnyCase(words), behind, around, emoji).map((parts) => parts.join(''));

describe('a stop word', () => {
  it('opts out in any case, with punctuation, quotes, emoji and courtesy around it', () => {
    fc.assert(
      fc.property(typed(stopWords, trailing), (text) => {
        expect(readWish(text)).toEqual(stop);
      }),
    );
  });

  it('opts out before whatever else is said, as a sentence or shouted', () => {
    const first = fc.constantFrom('STOP. ', 'Stop! ', 'stop\n', 'Unsubscribe; ', 'STOP ');
    const words = fc.stringMatching(/^[a-z]{2,8}( [a-z]{1,8}){0,5}$/);
    fc.assert(
      fc.property(first, words, (beginning, rest) => {
        expect(readWish(beginning + rest)).toMatchObject({ kind: 'opt_out' });
      }),
    );
  });

  it.each([
    "don't stop",
    'Please stop by on Tuesday',
    'stop by the office at 5',
    'Can I cancel and rebook for Friday?',
    'cancel my appointment on Friday and book Monday',
    'When does the offer end?',
    'is this the end unit',
    'can you remove the old roof',
  ])('does not opt out as part of "%s"', (text) => {
    expect(readWish(text).kind).toBe('none');
  });
});

describe('free words', () => {
  it.each([
    ['Stop calling me', 'said'],
    ['take me off your list', 'said'],
    ['do not text me again', 'said'],
    ["You've got the wrong number", 'wrong_number'],
  ])('"%s" opts out by the same rules as on a call', (text, source) => {
    expect(readWish(text)).toEqual({ kind: 'opt_out', source });
  });
});

describe('START and HELP', () => {
  it('are read in any case with punctuation around them', () => {
    const none = fc.constant('');
    fc.assert(
      fc.property(
        typed(['start', 'unstop', 'yes'], none),
        typed(['help', 'info'], none),
        (a, b) => {
          expect(readWish(a).kind).toBe('opt_in');
          expect(readWish(b).kind).toBe('help');
        },
      ),
    );
  });

  it.each([
    'yes Tuesday at 4 works',
    'start next week',
    'yes but not today',
    'I need help with it',
  ])('"%s" is an answer, not a keyword', (text) => {
    expect(readWish(text).kind).toBe('none');
  });
});

it('the collected texts are read as their labels say', () => {
  const wanted = new Map([
    ['sms_stop', 'opt_out'],
    ['stop_calling', 'opt_out'],
    ['sms_start', 'opt_in'],
    ['sms_help', 'help'],
    ['sms_none', 'none'],
  ]);
  const lines = readFileSync(new URL('../voice/data/utterances.tsv', import.meta.url), 'utf8');
  const wrong = lines.split('\n').filter((line) => {
    const [label = '', text = ''] = line.split('\t');
    return wanted.has(label) && readWish(text).kind !== wanted.get(label);
  });
  expect(wrong).toEqual([]);
});

it('any text at all is read without a failure, and one without letters asks for nothing', () => {
  const withoutLetters = fc
    .string({ unit: 'binary', maxLength: 60 })
    .map((text) => text.normalize('NFKD').replace(/\p{Letter}/gu, ''));
  fc.assert(
    fc.property(withoutLetters, fc.string({ unit: 'binary', maxLength: 60 }), (bare, any) => {
      expect(readWish(bare).kind).toBe('none');
      expect(() => readWish(any)).not.toThrow();
    }),
  );
  expect(readWish('').kind).toBe('none');
});
