// Words that only machines say: voicemail, call screening, network announcements.
import { phrase } from './phrase-rule.ts';

export type MachineGreeting = 'voicemail_greeting' | 'call_screening' | 'network_announcement';

/** `text` is normalised. Each phrase is telling by itself, so it counts in mid-sentence too. */
export function hearMachineGreeting(text: string): MachineGreeting | null {
  if (networkPatterns.some((pattern) => pattern.test(text))) return 'network_announcement';
  if (screeningPatterns.some((pattern) => pattern.test(text))) return 'call_screening';
  if (voicemailPatterns.some((pattern) => pattern.test(text))) return 'voicemail_greeting';
  return null;
}

const networkPatterns: readonly RegExp[] = [
  phrase(
    String.raw`\bnumber (?:that )?you (?:have )?(?:dialed|dialled|called|reached|are (?:calling`,
    String.raw`|trying to (?:call|reach)))\b.*\b(?:not|no longer|disconnected|changed|unassigned`,
    String.raw`|invalid|restricted|incomplete|cannot)\b`,
  ),
  /\b(?:not|no longer) in service\b/,
  /\bhas been (?:temporarily )?disconnected\b/,
  /\bbeen (?:changed to|changed the new number)\b/,
  /\bcan not be completed\b/,
  /\bcalls? (?:can|could) not (?:be )?(?:completed|connected|go through)\b/,
  /\bnot a (?:valid|working) number\b/,
  phrase(
    String.raw`\b(?:subscriber|customer|party|wireless customer) (?:that )?(?:you (?:have `,
    String.raw`|are )?(?:dialed|dialled|called|calling|trying to reach)`,
    String.raw`|is)\b.*\b(?:not (?:accepting|available|in service|reachable)|unavailable|can`,
    String.raw` not)\b`,
  ),
  /\ball circuits are busy\b/,
  /\bplease (?:check the number|hang up and (?:try|dial))\b/,
  /\bout of (?:the )?(?:coverage|service) area\b/,
  /\bcalling restrictions\b/,
];

const screeningPatterns: readonly RegExp[] = [
  /\b(?:record|state|say|give|tell me) your name\b/,
  /\byour name and (?:the )?(?:reason|purpose|why)\b/,
  /\breason (?:for|you are) (?:your )?call(?:ing)?\b/,
  phrase(
    String.raw`\b(?:see|check|find out) if (?:this|the|that) (?:person|party`,
    String.raw`|subscriber) is available\b`,
  ),
  /\bcall (?:screening|assistant|is being screened)\b/,
  /\bscreening (?:service|this call)\b/,
  phrase(
    String.raw`\bpress (?:\w+ )?(?:\w+ )?(?:if you are (?:a )?(?:human|person|not a)|to`,
    String.raw` (?:continue`,
    String.raw`|connect|be connected|complete|accept|prove))\b`,
  ),
  /\bto (?:complete|connect|continue) (?:your|this|the) call (?:\w+ )?press\b/,
  /\bdoes not accept (?:calls|unsolicited|solicit\w*)\b/,
  phrase(
    String.raw`\bnot accept (?:calls from )?(?:telemarketers|unidentified|anonymous|blocked`,
    String.raw`|private)\b`,
  ),
  phrase(
    String.raw`\bperson you are (?:calling|trying to reach) (?:is using|has|uses`,
    String.raw`|can not)\b.*\b(?:screen\w*|assistant|service)\b`,
  ),
  /\bgoogle (?:voice|assistant)\b.*\b(?:call|screen\w*|name)\b/,
];

const voicemailPatterns: readonly RegExp[] = [
  phrase(
    String.raw`\bleave (?:me |us |him |her |them )?(?:a|your|the|an?y?) ?(?:\w+ )?(?:message|name`,
    String.raw`|number|voicemail|voice mail|callback)\b`,
  ),
  /\bleave (?:me |us )?(?:a )?(?:brief |short |detailed )+message\b/,
  /\b(?:at|after|until) the (?:tone|beep|signal)\b/,
  /\bsound of the (?:tone|beep)\b/,
  /\b(?:you have|you ve|you) reached (?:the |a )?\w+/,
  /\bthanks? (?:you )?for calling\b.*\b(?:message|hours|office|press)\b/,
  /\bvoice ?mail\b.*\b(?:box|of|for|system|reached|full|set up|leave)\b/,
  /\bvoice ?mail ?box\b/,
  /\bmail ?box (?:\w+ )?(?:is|has|belonging)\b/,
  /\b(?:automatic|automated) voice (?:message|mail|messaging)\b/,
  /\bforwarded to (?:an? |the |my )?(?:automat\w+|voice\w*|answering)\b/,
  phrase(
    String.raw`\b(?:can not|unable to|not able to|can t) (?:\w+ )?(?:come to the phone|take`,
    String.raw` (?:your`,
    String.raw`|the|this) call|answer (?:your|the|this|my) (?:call|phone)|get to the phone`,
    String.raw`|pick up)\b`,
  ),
  /\b(?:please )?record your message\b/,
  /\bfinished recording\b/,
  /\bmay hang up\b/,
  /\bpress (?:pound|star|the pound|one|1|hash) (?:for|key|to)\b/,
  /\bto (?:leave|page|send) (?:a |this )?(?:message|callback|person)\b/,
  phrase(
    String.raw`\b(?:i|we) (?:will|ll) (?:\w+ )?(?:get back to you|return your call`,
    String.raw`|call you back) (?:as soon|shortly|when|at|soon)\b`,
  ),
  /\bat your earliest convenience\b/,
  phrase(
    String.raw`\b(?:person|party|number) you (?:are`,
    String.raw`|have) (?:\w+ ){1,3}(?:is )?(?:currently )?(?:not available|unavailable)\b`,
  ),
  phrase(
    String.raw`\b(?:is|are|am) (?:currently )?(?:not available|unavailable)\b.*\b(?:message|tone`,
    String.raw`|beep|later|leave|record)\b`,
  ),
  phrase(
    String.raw`\b(?:is|am|are) (?:not|currently not|un)? ?(?:available|home) (?:right now `,
    String.raw`|at the moment |to take )?.*\b(?:message|tone|beep|take your call)\b`,
  ),
  /\bdeje (?:su|un) mensaje\b/,
  /\bdespues (?:del|de la) (?:tono|senal)\b/,
  /\bbuzon de voz\b/,
];
