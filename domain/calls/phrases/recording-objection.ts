// The wish not to be recorded. A question about recording is not one.
import { type Certainty, matchesAny, phrase, type PhraseRule } from './phrase-rule.ts';

/** `text` is normalised. */
export function objectsToRecording(text: string, certainty: Certainty): boolean {
  return matchesAny(rules, text, certainty);
}

const taped = '(?:record|recorded|recording|recordings|recorder|tape|taped|taping)';
const between = '(?:(?!mind|care|have|problem|think|know|worry|break|see|find)\\w+ ){0,6}?';

const rules: readonly PhraseRule[] = [
  {
    pattern: phrase(
      String.raw`\b(?:do not|never|stop|quit|cease|can not|must not|may not|should not|not`,
      String.raw` (?:allowed`,
      String.raw`|permitted|authori[sz]ed|going) to|without|not be|not being|not to be|not to`,
      String.raw`|rather not|prefer not|refuse to|turn off|shut off|switch off|cut off`,
      String.raw`|delete|erase`,
      String.raw`|discard|destroy|disable|pause|get rid of|cancel) ${between}${taped}\b`,
    ),
    unless: phrase(
      String.raw`\b(?:not|never) (?:stop|delete|erase|turn off)\b|\brecord player\b`,
      String.raw`|\b(?:records? of`,
      String.raw`|my records?|medical|criminal|vaccination|driving|broken|for the|off the)`,
      String.raw` records?\b`,
      String.raw`|\brecord (?:your|a|my|their) (?:message|name)\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\b(?:did not|not|no one|nobody) (?:consent|agree|want|allow|authori[sz]e|permit`,
      String.raw`|approve|give|gave|given|accept|wish|okay|fine|comfortable|cool|happy|good`,
      String.raw`|alright`,
      String.raw`|like) ${between}${taped}\b`,
    ),
    unless: /\bnot (?:want|wish) to stop\b/,
  },
  {
    pattern: phrase(
      String.raw`\b(?:uncomfortable|object|objecting|objection|opposed`,
      String.raw`|against)\b.{0,30}\b${taped}\b`,
    ),
    unless: /\bno objections?\b|\bnot (?:object|opposed|against|uncomfortable)\b/,
  },
  {
    pattern: phrase(
      String.raw`^(?:\w+ ){0,2}no recordings?(?: \w+)?$|\bno recordings? (?:please|of (?:me|this)`,
      String.raw`|allowed|okay)\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\b(?:turn|switch|shut) (?:\w+ ){0,2}record(?:ing|er) off\b|\brecord(?:ing`,
      String.raw`|er) (?:needs to be |to be |has to be )?(?:off|stopped|deleted|turned off)\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\b(?:prefer|rather|like it if|wish|better if|appreciate it`,
      String.raw` if)\b.{0,25}\b(?:did not`,
      String.raw`|were not|was not|not) (?:be )?(?:record|recorded|recording|tape|taped)\b`,
    ),
  },
  {
    pattern: phrase(
      String.raw`\bif (?:\w+ ){1,4}record(?:ed|ing)?\b.{0,30}\b(?:hang|hanging|no|not|bye`,
      String.raw`|done|leave`,
      String.raw`|leaving)\b`,
    ),
    unless: phrase(
      String.raw`\bif (?:\w+ ){1,4}record(?:ed|ing)?\b.{0,20}\b(?:no problem|not (?:a problem|mind`,
      String.raw`|care))\b`,
    ),
  },
  { pattern: /\brecord(?:ed|ing) (?:then|so|well) no\b/ },
  { pattern: /^(?:\w+ ){0,2}(?:do|did|can) not consent(?: to (?:that|this|it))?$/, open: true },
  { pattern: /\bnot (?:\w+ ){0,4}permission to (?:record|tape)\b/ },
  { pattern: /\bkeep (?:this|it|me|that) off the record\b/ },
  { pattern: /\bno (?:me |nos |lo )?(?:grab\w+|quiero que .*grab\w+)\b/ },
];
