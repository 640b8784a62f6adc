// The person says that the one we look for is somebody else.
import { phrase } from './phrase-rule.ts';

/** `text` is normalised; `spoken` keeps its capitals, which tell a name from a word. */
export function saysWrongNumber(text: string, spoken: string): boolean {
  return patterns.some((pattern) => pattern.test(text)) || deniesName(spoken);
}

const someone = '(?:he|she|they|that person|this person|that guy|that name|\\w+)';

const patterns: readonly RegExp[] = [
  phrase(
    String.raw`\bwrong (?:phone )?(?:number|person|guy|house|party|lady|man|woman|family|residence`,
    String.raw`|place|line)\b(?! (?:on|in|for|of) )`,
  ),
  /\b(?:mistaken|incorrect) (?:phone )?number\b/,
  /\b(?:misdial|misdialed|misdialled|dialed wrong|called wrong)\b/,
  /\bnot the (?:right|correct) (?:number|person)\b/,
  /\bnot (?:the|who) (?:person |one |guy )?(?:that )?you are (?:looking|calling)\b/,
  /\blooking for (?:someone|somebody) else\b/,
  /\b(?:someone|somebody) else s? ?(?:number|phone)\b/,
  phrase(
    String.raw`\b${someone} (?:does not|do not|no longer|did not|never|is not|has not) (?:live`,
    String.raw`|lives|lived|work|works|worked|stay|reside) (?:\w+ ){0,3}(?:here|anymore`,
    String.raw`|this (?:number|house|address|place))\b`,
  ),
  phrase(
    String.raw`\bno (?!not\b|one\b|body\b|problem\b|i\b|we\b|it\b|that\b|she\b|he\b)\w+ (?:lives?`,
    String.raw`|works?|at) (?:here|at|this)\b`,
  ),
  phrase(
    String.raw`\b(?:nobody|no one|no body|not anyone|no)(?: \w+)? (?:here )?(?:by|with|of`,
    String.raw`|under) (?:that|this|the) name\b`,
  ),
  /\b(?:nobody|no one|anybody|anyone|no \w+) (?:here )?(?:named|called)\b/,
  /\bnobody (?:named )?\w+ (?:lives )?here\b/,
  phrase(
    String.raw`\b(?:do not|never|have never) (?:know|knew|heard of|hear of`,
    String.raw`|recogni[sz]e) (?:\w+ ){0,2}(?:named|called|by that name|that (?:name|person|guy`,
    String.raw`|lady)|him|her|them|who (?:that|he|she|you are looking))\b`,
  ),
  /\bnever heard of (?:him|her|them|that|\w+)$/,
  /\bdo not know (?:a|any) (?!good\b|better\b|thing\b|more\b)\w+$/,
  phrase(
    String.raw`\b(?:he|she|they|person|guy|lady|owner|tenant|\w+) (?:\w+ )?changed (?:his|her`,
    String.raw`|their) (?:phone )?number\b`,
  ),
  phrase(
    String.raw`\b(?:he|she|they) (?:\w+ )?(?:moved(?: out| away| on| to|$)|no longer (?:has|have`,
    String.raw`|uses|owns) this|passed away|died|(?:is|are) deceased|has a (?:new|different)`,
    String.raw` number`,
    String.raw`|got a (?:new|different) number|gave you)\b`,
  ),
  /\bthis (?:number )?is not (?:his|her|their|\w+ s) (?:number|phone|cell|line)\b/,
  /\bnot (?:his|her|their) (?:number|phone|cell) ?(?:anymore|any more|now)?\b/,
  /\b(?:just|only|recently) got this (?:phone )?number\b/,
  phrase(
    String.raw`\b(?:this|the) (?:number )?(?:used to be|belongs to|is now) (?:somebody|someone`,
    String.raw`|a different|another|mine)\b`,
  ),
  /\bused to (?:belong|be (?:his|her|their))\b/,
  /\bi am not (?:him|her|that person|the (?:person|one|guy|lady) you)\b/,
  /\bthat is not (?:me|my name)\b/,
  /\bnumero (?:equivocado|incorrecto)\b/,
  /\bse equivoc\w+\b/,
  /\bno vive aqui\b/,
  /\bno conozco a\b/,
];

const notNames = new Set(
  [
    'I Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May',
    'June July August September October November December',
  ]
    .join(' ')
    .split(' '),
);

const nameDenial = phrase(
  String.raw`\b(?:[Tt]his is(?:n['’]t| not)|I['’ ]?a?m not`,
  String.raw`|[Tt]here(?:['’]s| is) no) ([A-Z][a-z]+)\b`,
);

function deniesName(spoken: string): boolean {
  const name = nameDenial.exec(spoken)?.[1];
  return name !== undefined && !notNames.has(name);
}
