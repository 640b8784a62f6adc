// The person wants to talk to one of the business' people; and the question whether we are one.
import { phrase } from './phrase-rule.ts';

/** `text` is normalised. */
export function asksForHuman(text: string): boolean {
  return humanRequests.some((pattern) => pattern.test(text));
}

/** "Are you a robot?" in its many forms; `text` is normalised. */
export function asksWhetherMachine(text: string): boolean {
  return machineQuestions.some((pattern) => pattern.test(text));
}

const human = [
  '(?:humans?|human being|person|people|representative|rep|operator|manager|supervisor|owner|boss',
  '|agent|specialist|customer service|somebody(?: real| else| in charge| human)?|real one',
  '|someone(?: real| else| in charge| human| there| live)?)',
].join('');
const machine = [
  '(?:robot|robo ?call|robo ?caller|machine|computer|bot|chat ?bot|ai|a i|artificial intelligence',
  String.raw`|recording|automated(?: \w+)?|automation|virtual \w+|prerecorded\w*)`,
].join('');

const humanRequests: readonly RegExp[] = [
  phrase(
    String.raw`\b(?:talk|talking|speak|speaking|chat|transfer|connect|deal|dealing|switch|forward`,
    String.raw`|hand|put|patch|pass)(?: (?:me|us|this|call|through|over|right|directly|off|now`,
    String.raw`|only)){0,3} (?:to|with|on|through to) (?:an? |the |your |some )?(?:real |live `,
    String.raw`|actual |human |different |other |another |living )*${human}\b(?<!(?:to`,
    String.raw`|with) my \w+)`,
  ),
  phrase(
    String.raw`\b(?:get|give|find|need|want|prefer|like|have|put)(?: me| us)? (?:an? |the `,
    String.raw`|your )?(?:real |live |actual |living )*(?:human(?: being)?|real person|live person`,
    String.raw`|actual person|representative|operator|supervisor|manager|live agent|human agent)\b`,
  ),
  phrase(
    String.raw`\b(?:person|human|someone|somebody|agent|representative|anyone`,
    String.raw`|anybody) (?:there )?(?:that |who |whom )?(?:i|we) (?:can|could|may|might) (?:talk`,
    String.raw`|speak)\b`,
  ),
  phrase(
    String.raw`^(?:\w+ )?(?:representative|operator|agent|human|real person|live person`,
    String.raw`|live agent)(?: please| now)*$`,
  ),
  phrase(
    String.raw`\b(?:do not|not going to|will not|refuse to|hate|rather not|not) (?:want to `,
    String.raw`|like to |like )?(?:talk|talking|speak|speaking|deal|dealing) (?:to|with) (?:a |an `,
    String.raw`|some |any )?(?:\w+ )?${machine}\b`,
  ),
  /\bhablar con (?:una persona|un humano|alguien|un agente)\b/,
];

const machineQuestions: readonly RegExp[] = [
  phrase(
    String.raw`\b(?:are|r) you (?:\w+ ){0,3}(?:${machine}|human|real|a (?:real |actual `,
    String.raw`|live )?(?:person|human|man|woman|guy|lady))\b`,
  ),
  phrase(
    String.raw`\b(?:is|was|are) (?:this|it|that|these) (?:\w+ ){0,3}(?:${machine}|real`,
    String.raw` person|human`,
    String.raw`|live person|real human|actual person)\b`,
  ),
  phrase(
    String.raw`\b(?:am i|are we|i am) (?:talking|speaking|chatting) (?:to|with) (?:an? )?(?:real `,
    String.raw`|live |actual )*(?:${machine}|human|person)\b`,
  ),
  phrase(String.raw`\byou (?:sound|seem) (?:\w+ )?like (?:an? )?(?:${machine})\b`),
  phrase(String.raw`\byou (?:are|have to be|must be) (?:an? )?(?:${machine})\b`),
];
