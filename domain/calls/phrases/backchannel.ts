// Sounds and words by which a listener says "go on".
import { normaliseUtterance } from './normalise-utterance.ts';

export function isBackchannel(spoken: string): boolean {
  const words = normaliseUtterance(spoken).split(' ');
  const text = words.join(' ');
  return words.length <= 3 && (phrases.has(text) || words.every((word) => sounds.has(word)));
}

const sounds = new Set(
  ['uh huh mm hmm mhm hm um ah oh yeah yep yup yes okay right', 'sure alright cool good great fine']
    .join(' ')
    .split(' '),
);

const phrases = new Set(['got it', 'i see', 'all right', 'of course', 'go on', 'makes sense']);
