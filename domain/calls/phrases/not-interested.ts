// The person turns the offer down. A plain "no" is an answer, not this.
import { phrase } from './phrase-rule.ts';

/** `text` is normalised. */
export function declinesOffer(text: string): boolean {
  if (exceptions.test(text)) return false;
  return patterns.some((pattern) => pattern.test(text));
}

const exceptions =
  /\bnot (?:not interested|uninterested|disinterested)\b|\bnot saying (?:i am )?no\b/;

const patterns: readonly RegExp[] = [
  phrase(
    String.raw`\b(?:not|no longer|never|are not|is not)(?: (?:really|very|at all|even|currently`,
    String.raw`|particularly|that|all|too|actually|so|so much|super|remotely|presently|longer`,
    String.raw`|was))* interested\b`,
  ),
  phrase(
    String.raw`\b(?:no|zero|lost|not have (?:any|an)|not any|lack of|little) interest\b(?! (?:rate`,
    String.raw`|free|loan|only|payment|charge|financ))`,
  ),
  /\b(?:un|dis)interested\b/,
  /\bnot of interest\b/,
  /\bno thanks?\b(?: you)?/,
  /\bno thank you\b/,
  /\b(?:thanks|thank you) but no\b/,
  /\bno gracias\b/,
  phrase(
    String.raw`\b(?:we|i) (?:am|are)(?: \w+)? (?:all )?(?:set|covered|taken care of)\b(?!`,
    String.raw` (?:for|on`,
    String.raw`|up) (?!that|this|now))`,
  ),
  /\ball set\b(?! for| up)/,
  phrase(
    String.raw`\b(?:no|nope|nah) (?:i am|we are) (?:good|fine|okay|all right|alright)(?: thanks?`,
    String.raw`| thank you| for now)*$`,
  ),
  /\b(?:i am|we are) (?:good|fine) (?:thanks|thank you|but thanks?)\b/,
  phrase(
    String.raw`\balready (?:\w+ )?(?:got (?:it|one|that|this)|hired|chose|chosen|picked|found|went`,
    String.raw`|gone|signed|bought|booked|fixed|replaced|done|did|finished|completed|sold|switched`,
    String.raw`|purchased|have (?:someone|somebody|a (?:guy|company|contractor))|has been (?:done`,
    String.raw`|fixed)|took care|taken care|working with|using)\b`,
  ),
  phrase(
    String.raw`\b(?:went|going|gone|go|decided to go|signed up|signed|stuck|sticking|staying`,
    String.raw`|stay) with (?:another|someone|somebody|a different|other|your competitor`,
    String.raw`|a competitor|my current|our current|who i have|what (?:i|we) have)\b`,
  ),
  phrase(
    String.raw`\b(?:hired|found|chose|picked|using|got) (?:someone|somebody|another`,
    String.raw`|a different)(?: \w+)?\b`,
  ),
  phrase(
    String.raw`\b(?:someone|somebody) else (?:is |has |already )*(?:doing|did|done|handling`,
    String.raw`|fixed)\b`,
  ),
  /\bchanged (?:my|our) minds?\b/,
  /\bdecided (?:against|not to|to (?:wait|hold off|pass|cancel))\b/,
  /\bholding off\b/,
  phrase(
    String.raw`\b(?:do not|no longer|never) (?:really |even |actually )*(?:want|need|wanted`,
    String.raw`|needed) (?:it|this|this service|one|any of (?:it|this|that)|anything`,
    String.raw`|your (?:service|services|help|product|products|offer)|(?:a|the|any) (?:quote`,
    String.raw`|estimate|service|appointment|consultation|offer|help)|help|that(?! (?:one|time|day`,
    String.raw`|slot|date)))\b`,
  ),
  phrase(
    String.raw`\b(?:do not|no longer) (?:want|need|wish) to (?:buy|proceed|move forward|go forward`,
    String.raw`|go ahead|pursue|sell|switch|continue|do (?:it|this|that|business|the project))\b`,
  ),
  phrase(
    String.raw`\b(?:going to|will|have to|rather|gonna|would|am) pass(?:$| on (?:this|it|that`,
    String.raw`|the offer|your)| for now| this time| thanks?| thank)`,
  ),
  /\bhard pass\b/,
  /^(?:i )?pass(?: thanks?| thank you)?$/,
  phrase(
    String.raw`\bnot (?:something|anything|a thing) (?:that )?(?:i|we) (?:\w+`,
    String.raw` ){0,2}(?:looking|want`,
    String.raw`|need|interested|care|would)\b`,
  ),
  phrase(
    String.raw`\b(?:not|no longer) (?:in the market|shopping|pursuing|moving forward|going forward`,
    String.raw`|going ahead|proceeding|going through with|considering|doing (?:it|this|that`,
    String.raw`|the project|the work|anything))\b`,
  ),
  phrase(
    String.raw`\b(?:not|no longer) looking(?:$| (?:anymore|any more|right now|at this time`,
    String.raw`|for (?:anything|it|that|this|any|one|help|a (?:quote|new))\b|to (?:buy|sell|switch`,
    String.raw`|do|change|move|refinance)))`,
  ),
  phrase(
    String.raw`\bnever (?:really |even )?(?:wanted|asked for|requested|needed|signed up|applied`,
    String.raw`|inquired)\b`,
  ),
  phrase(
    String.raw`\b(?:only|just) (?:browsing|looking around|window shopping|curious|shopping around`,
    String.raw`|clicking)\b`,
  ),
  /\b(?:no|not (?:have )?(?:a|any)|got no|have no) need (?:for|of)\b/,
  /\bno need$/,
  /\b(?:do not|not) (?:see|have) (?:a|any|the) need\b/,
  /\bnot (?:at this time|for (?:me|us)|worth (?:it|my time))\b/,
  /\bnot today (?:thanks?|thank you)\b/,
  /\bnot going to (?:do (?:it|this|that)|happen|buy|work out)\b/,
  phrase(
    String.raw`\bcancel(?:l?ed|l?ing)? (?:it|my|the|that|our) (?:request|order|inquiry|quote`,
    String.raw`|project|application|estimate|whole thing)\b`,
  ),
  /\b(?:can not|could not|can no longer) afford\b/,
  /\btoo (?:expensive|pricey)\b.*\b(?:no|not|bye|pass)\b/,
  /\bwast(?:e|ing) (?:of )?(?:my|your|our)? ?time\b/,
  phrase(
    String.raw`\b(?:sold|bought|fixed|replaced|got|did|finished) (?:it|one|that|the \w+|ours`,
    String.raw`|mine) already\b`,
  ),
  /\bnot (?:think|believe) (?:i am|we are|i would be|that i am) interested\b/,
  /\bforget (?:about )?it\b/,
  /\bno (?:me|nos) interesa\b/,
  /\bno estoy interesad[oa]\b/,
  /\bya no (?:lo |la )?(?:quiero|necesito)\b/,
];
