// The wish not to be called any more. In doubt it counts: a lost lead costs less than a violation.
import { type Certainty, matchesAny, oneOf, phrase, type PhraseRule } from './phrase-rule.ts';

/** `text` is normalised. */
export function asksToStopCalling(text: string, certainty: Certainty): boolean {
  return matchesAny(rules, text, certainty) || isBareStop(text, certainty);
}

const contact = oneOf(
  'call calls calling called phone phoning ring ringing dial dialing dialling contact contacting',
  'contacted text texts texting message messages messaging bother bothering harass harassing spam',
  'spamming pester pestering bug bugging annoy annoying solicit soliciting solicitation hound',
  'hounding robocalling robocalls disturb disturbing',
);
const filler = oneOf(
  'all any anymore these those the this that with from of you your people guys ever even please it',
  'and just so to always constantly fucking damn freaking robo spam sales marketing phone unwanted',
  'more further future be being getting receiving get receive another anyone anybody nobody them',
  'company business keep keeping us me at kind a',
);
const mine = [
  String.raw`(?:me|us|mine|my (?:\w+ )?(?:number|name|phone|cell|info|information|details|data`,
  String.raw`|contact|line|family|house|household|email)`,
  String.raw`|(?:this|our|the|that|his|her) (?:phone )?(?:number|phone|line|contact|household))`,
].join('');
const list = [
  String.raw`(?:lists?|database|data base|systems?|records?|files?|registry|contacts?|rolodex`,
  String.raw`|crm|dialer|directory|rotation|queue)`,
].join('');
const lawful = oneOf('consent permission authorization authorisation approval');
const timeLimit = [
  '(?:before|until|till|unless|yet|right now|just yet|today|now)',
  String.raw`(?!.*\b(?:again|anymore|ever|any more)\b)`,
].join('');

const rules: readonly PhraseRule[] = [
  {
    pattern: phrase(String.raw`\b(?:stop|quit|cease|halt|end)(?: ${filler}){0,5} ${contact}\b`),
    unless: phrase(
      String.raw`\b(?:not|never|non) (?:stop|quit|cease)(?: ${filler}){0,5} ${contact}\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\b(?:stop|quit|enough) (?:it )?with (?:the|these|all the|your) (?:\w+ )?call(?:s`,
      String.raw`|ing)\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\b(?:calls?|calling|texts) (?:really )?(?:(?:need|needs|have|has|got|must|should`,
      String.raw`|better|ought) )*(?:to )?(?:stop|cease)\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`(?<!\b(?:i|we|they|did|does|why) )(?<!did you )\b(?:do not|never|not to|not`,
      String.raw`|no longer)(?: (?:you|ever|even|please|just|dare|be|keep|try|start|go|to`,
      String.raw`|think about`,
      String.raw`|bother)){0,3} (?:call|calling|phone|ring|dial|contact|text|bother|disturb`,
      String.raw`|message)\b(?! (?:it (?!again|any|ever|back|please|no)\w|that|yourself|him`,
      String.raw` (?:a|an)`,
      String.raw`|her (?:a|an)|centers?|me (?!again\b|any|back\b|ever\b|here\b|at\b|on\b`,
      String.raw`|about\b|no\b`,
      String.raw`|please\b|for\b|with\b|from\b|so\b|okay\b|thank|and\b|or\b|i\b|if\b|you\b|ok\b`,
      String.raw`|this\b|to\b|another\b|but\b|cause\b|because\b|after\b)))(?! (?:me |us `,
      String.raw`|back |here `,
      String.raw`|this number )?${timeLimit})(?: (?:me|us|back|here|this number))*`,
    ),
    open: true,
    unless: /\b(?:please|can you|could you|why) not call(?:ing)? (?:first|ahead|instead)\b/,
  },
  {
    pattern: phrase(
      String.raw`\b(?:do not|never|did not|no longer|not) (?:want|wanted|need|wish|like|appreciate`,
      String.raw`|ask|asked|welcome|allow|authori[sz]e|consent|agree|agreed`,
      String.raw`|consented)(?: (?:${filler}|for)){0,6} (?<!(?:want|wanted|need|wish|like`,
      String.raw`|back) to )${contact}\b`,
    ),
    unless: phrase(
      String.raw`\b(?:miss|waste) |\b(?:want|need|wish|like) to (?:call|text|phone|ring|message`,
      String.raw`|bother)\b|\bneed(?: a)? (?:call|text)\b|\brecord(?:ed|ing)?\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\b(?:i|we) (?:do not|never) (?:take|accept|answer) (?:\w+ )?(?:calls|solicitors`,
      String.raw`|solicitations?)\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\b(?:can not|should not|must not|may not|not (?:supposed|allowed|permitted`,
      String.raw`|authori[sz]ed) to|no (?:right|business|reason) (?:to )?)(?: be| keep)? ?(?:call`,
      String.raw`|calling|contact|contacting|phoning|texting) (?:me|us|here|this|my|people|him|her`,
      String.raw`|at)\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\b(?:remove|delete|erase|scrub|purge|unlist|unsubscribe|block|blacklist|scratch`,
      String.raw`|strike|drop|lose|forget|ditch|trash|destroy|get rid of|throw (?:away|out)`,
      String.raw`|cross(?: out)?|take off|wipe|clear) (?:of )?${mine}\b`,
    ),
    unless: phrase(
      String.raw`\b(?:remove|delete|drop|scratch|block|lose|forget|clear|wipe) (?:the|that|this`,
      String.raw`|my) (?:phone|line|contact)\b(?! (?:number|from))|\bdrop (?:me|us) (?:a|an|off)\b`,
      String.raw`|\bdo not (?:lose|forget|delete|drop)\b|\bforget me\b|\blose (?:me|us)\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\b(?:take|get|pull|keep|want|put|cross|strike|be) ${mine} (?:\w+ )?off\b(?!`,
      String.raw` (?:hold`,
      String.raw`|speaker|mute|guard|work|the phone so))`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\boff (?:of )?(?:this|your|the|that|these|all|any|every)(?: \w+){0,3} ${list}\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\b(?:remove|delete|erase|scrub|take|block)\b.{0,40}\b(?:from|off|out of) (?:your`,
      String.raw`|this|the|that|all|any)(?: \w+){0,3} ${list}\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\b(?:do not|don t|no) (?:call|contact|solicit)(?:ing)? (?:list|registry|lists`,
      String.raw`|register|request)\b|\bd ?n ?c (?:list|registry)\b`,
    ),
  },
  { pattern: /\bunsubscribe\b/, unless: /\bnot unsubscribe\b/ },
  {
    pattern: phrase(
      String.raw`\bopt(?:ing|ed)?(?: (?:me|us|my number|this number|my phone))? out\b(?! of`,
      String.raw` (?:the|a`,
      String.raw`|an|that|my|any) (?!call|list|program|phone|text|message|service|contact))`,
    ),
    unless: /\b(?:not|never) (?:want to )?opt(?:ing)? out\b/,
  },
  {
    pattern: phrase(
      String.raw`\b(?:revok\w*|withdraw\w*|rescind\w*|retract\w*|pull(?:ing)?|tak(?:e|ing) back`,
      String.raw`|cancel\w*)(?: (?:my|our|all|any|prior|the|that)){0,3} ${lawful}\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\b(?:do not|did not|never|no longer|not|without`,
      String.raw`|no) (?:\w+ ){0,4}${lawful}\b(?!.{0,30}\b(?:record|tap))`,
    ),
    unless: phrase(
      String.raw`\b(?:need|ask|require|wait for) (?:\w+ ){0,3}${lawful}\b|\b(?:husband|wife`,
      String.raw`|landlord`,
      String.raw`|board|hoa|association|city|county)\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\bleave (?:me|us|my family|my (?:wife|husband|mother|mom|dad|father`,
      String.raw`|parents)) (?:alone|be)\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\b(?:fuck|piss|buzz|screw|bugger|sod|bug|f) off\b|\bget lost\b|\bgo away\b`,
      String.raw`|\bgo to hell\b|\bget off my (?:phone|line)\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\b(?:this|that|it|you|calling) (?:is|are|was) (?:\w+ )?harass(?:ment|ing)\b`,
      String.raw`|\bharassing (?:me|us|my)\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\b(?:sue|suing|report|reporting) (?:you|your|this number|this call|to the)\b`,
      String.raw`|\b(?:call|calling|get|getting|contact|contacting|talk to|hear from) (?:a|my`,
      String.raw`|our) (?:lawyer|attorney)\b`,
    ),
    unless: /\b(?:talk|talking|check|speak) (?:to|with) my (?:lawyer|attorney)\b/,
  },
  {
    pattern: phrase(
      String.raw`\b(?:if|next time|every time) you (?:ever |keep )?(?:call|text`,
      String.raw`|contact)(?:ing)? (?:\w+ ){0,3}again\b|\bcall (?:me|us|here`,
      String.raw`|this number) (?:one more time|again (?:and|or) i)\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\b(?:(?:asked|told|begged|warned|ask|asking|tell|telling|said|beg|begging|order`,
      String.raw`|ordering) (?:\w+ ){0,6}|(?:want|need|like) (?:you|them|this|these|those|everyone`,
      String.raw`|people) (?:\w+ ){0,3})(?:to )?(?:stop|quit)(?: it| this| that| now| already`,
      String.raw`| please)*$`,
    ),
    open: true,
    unless: /\b(?:you said|i (?:want|need|like) to (?:stop|quit)|where|when)\b/,
  },
  {
    pattern: phrase(
      String.raw`\b(?:you|people|guys) (?:\w+ )?(?:need|needs|have|got|must|should|better`,
      String.raw`|ought)(?: got)?(?: to)? (?:stop|quit)(?: it| this| that| now| already| please)*$`,
    ),
    open: true,
  },
  {
    pattern: phrase(
      String.raw`\bno (?:more|further|additional)(?: \w+){0,2} (?:calls?|calling|contact|texts`,
      String.raw`|messages)\b|^no (?:\w+ )?calls\b|\bno calls (?:please|and|or|no|at all|ever)\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\b(?:sick|tired|fed up|had enough)(?: and tired)? (?:of|with)(?: \w+){0,4}`,
      String.raw` call(?:s`,
      String.raw`|ing)\b|\b(?:enough|too many) (?:phone |sales )?calls\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\b(?:why|people|guys|you) (?:\w+ ){0,3}keep(?:s)? (?:on )?(?:calling`,
      String.raw`|phoning|texting`,
      String.raw`|bothering) (?:me|us|here|my|this)\b`,
    ),
    unless: /\b(?:can|please|may|should) keep\b/,
  },
  { pattern: /\bdo not (?:you )?(?:ever )?(?:do|try) (?:it|this|that) again\b/ },
  {
    pattern: phrase(
      String.raw`\b(?:am|are|going to|will|have|just) (?:block|blocking|blocked) (?:you|your`,
      String.raw` number`,
      String.raw`|this number|the number)\b`,
    ),
  },
  {
    pattern: /\b(?:be|get|getting|been|have) (?:removed|unsubscribed|taken off|deleted|blocked)\b/,
    unless: phrase(
      String.raw`\b(?:it|roof|tree|wall|they|carpet|tiles?|siding|stump|old \w+) (?:\w+`,
      String.raw` )?(?:be|get`,
      String.raw`|getting|been|have) (?:removed|taken off|deleted|blocked)\b|\bhave (?:removed`,
      String.raw`|deleted|blocked)\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\b(?:nobody|no one|none of you|not anyone)(?: \w+){0,2} (?:calls?`,
      String.raw`|contacts?)(?: (?:me|us|here|this|my))(?: \w+)? (?:again|anymore|ever)\b`,
      String.raw`|\bcut it out with\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\bno solicit(?:ing|ors|ations?)\b|\bcancel (?:all|any|these|future`,
      String.raw`|further)(?: \w+){0,2} calls\b|\bcease and desist\b`,
    ),
  },
  {
    pattern: /\bdo not (?:reach out|get in touch|follow up|try (?:me|us))\b/,
    open: true,
    unless: /\bdo not (?:reach out|follow up|try (?:me|us)) (?:before|until|till|unless)\b/,
  },
  {
    pattern: phrase(
      String.raw`\bno (?:me |nos )?(?:llam\w+|marqu\w+|vuelva\w* a llamar|molest\w+)\b|\b(?:deje`,
      String.raw`|dejen|deja|pare|paren) de (?:llamar\w*|molestar\w*)\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\b(?:quite|quiten|quita|saque|saquen|borre|borren|elimine|eliminen|remueva)(?:me`,
      String.raw`|nos)?\b.*\b(?:lista|numero|base)\b`,
    ),
  },
];

const aroundStop = new RegExp(
  `\\b(?:thank you|i said|can you|could you|would you|will you|you guys|right now|${oneOf(
    'please okay no just now it this that hey hello yeah yes sir maam miss thanks already oh god',
    'my uh um seriously enough all immediately',
  )})\\b`,
  'g',
);

/** "Stop" and nothing else of weight; while the sentence may go on it could still be "stop by". */
function isBareStop(text: string, certainty: Certainty): boolean {
  if (certainty === 'interim' || !text.includes('stop')) return false;
  const rest = text.replace(aroundStop, ' ').replace(/\s+/g, ' ').trim();
  return /^stop(?: stop)*$/.test(rest);
}
