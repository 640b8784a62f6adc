// Now is not the time: the person asks for, or promises, another call.
import { phrase } from './phrase-rule.ts';

/** `text` is normalised. */
export function asksForLaterCall(text: string): boolean {
  if (exceptions.test(text)) return false;
  return patterns.some((pattern) => pattern.test(text));
}

const day = '(?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?)';
const when = [
  `(?:back|later|again|tomorrow|tonight|another time|some other time|sometime|then|${day}`,
  '|when|after|around|before|between|next|this (?:afternoon|evening|weekend|week)',
  String.raw`|in (?:a|an|the|about|\w+ (?:minutes?|hours?|days?|weeks?))|at \w+|on ${day}`,
  '|(?:first thing|early|late))',
].join('');
const whom = '(?:me|us|him|her|them|my \\w+|my|the house|this number|you)';

const exceptions = /\b(?:can|could|may|should) (?:i|we) call you\b.*\bhow\b/;

const patterns: readonly RegExp[] = [
  phrase(
    String.raw`\b(?:call|phone|ring|try|reach|catch|contact)(?: ${whom})?(?: please)?(?: at`,
    String.raw` (?:home`,
    String.raw`|work))? ${when}\b`,
  ),
  /\b(?:give|gimme) (?:me|us|him|her|them) a (?:call|ring|buzz|shout)\b/,
  /(?<!thanks for |thank you for )\b(?:call|calling|ring|phone) (?:me |us |you )?back\b/,
  /\b(?:try|call|get) (?:me |us )?(?:back )?(?:later|again|tomorrow)\b/,
  /\bcallback\b/,
  phrase(
    String.raw`\b(?:not|is not|isn t|never|hardly) (?:really )?(?:a|the|my)? ?(?:very )?(?:good`,
    String.raw`|great|best|right|convenient|ideal) (?:time|moment|day)\b`,
  ),
  /\b(?:bad|terrible|awful|inconvenient|wrong|rough) (?:time|moment)\b/,
  phrase(
    String.raw`\bcan not (?:really )?(?:talk|speak|chat|do this)(?: \w+){0,2}? ?(?:now`,
    String.raw`|at the moment|today|here)?$`,
  ),
  /\bcan not (?:talk|speak|chat) (?:right )?now\b/,
  /\bnot (?:right )?now\b/,
  phrase(
    String.raw`\b(?:i am|we are|am|are) (?:\w+ )?(?:driving|at (?:work|dinner|lunch|church|school`,
    String.raw`|the (?:doctor|dentist|store|hospital|gym|office|airport))|in (?:a|the) (?:meeting`,
    String.raw`|middle|car|class|shower|appointment|conference|store)|with (?:a|my) (?:customer`,
    String.raw`|client|patient|boss|kids)|on (?:another|the other) (?:call|line)|eating|cooking`,
    String.raw`|about to|heading (?:out|into)|running (?:late|out)|working right now|on vacation`,
    String.raw`|out of town|tied up|swamped|boarding)\b`,
  ),
  phrase(
    String.raw`\b(?:i am|we are|am|kind of|kinda|pretty|really|super|a (?:bit|little)`,
    String.raw`|too) busy\b(?! (?:on )?${day})`,
  ),
  phrase(
    String.raw`^(?:maybe |perhaps |please )?later(?: please| today| tonight| on)?(?: i am\b`,
    String.raw`| we are\b| thanks?\b| thank\b|$)`,
  ),
  /\b(?:some|an)other (?:time|day)(?: please| maybe)?$/,
  /\b(?:maybe|perhaps) (?:another|some other) (?:time|day)\b/,
  phrase(
    String.raw`\b(?:follow up|check back|circle back|touch base|reach out|check in)(?: with (?:me`,
    String.raw`|us))? (?:later|next|in|tomorrow|after|again|sometime|on)\b`,
  ),
  phrase(
    String.raw`\b(?:i|we) (?:will|would|can|need to|have to|could) (?:\w+ )?(?:get back to you`,
    String.raw`|call you|phone you|ring you|give you a (?:call|ring))\b`,
  ),
  phrase(
    String.raw`\bdo not call(?: me| us| back| here)? (?:before|until|till|unless|yet|right now`,
    String.raw`|just yet|today|now)\b`,
  ),
  phrase(
    String.raw`\b(?:llame|llama|llamen|marque)(?:me|nos)? (?:mas tarde|luego|manana|despues`,
    String.raw`|otro dia)\b`,
  ),
  /\bahora no puedo\b/,
  /\bestoy ocupad[oa]\b/,
];
