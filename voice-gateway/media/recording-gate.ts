// The only way to a recording: the notice was heard to its end, and then the person spoke.
import type { Heard } from './utterance.ts';

declare const proof: unique symbol;

export interface GateProof {
  readonly noticeHeardAtMs: number;
  readonly firstSpeechAtMs: number;
  readonly [proof]: true;
}

const issued = new WeakSet<object>();

/**
 * Throws unless the whole notice was heard and the person speaks at or after its end. Speech that began
 * over the notice counts from its end, if it still lasts then: pass the later of the two times.
 */
export function openRecordingGate(notice: Heard, firstSpeechAtMs: number): GateProof {
  const noticeHeardAtMs = notice.lastHeardMs;
  if (!notice.complete || noticeHeardAtMs === null)
    throw new Error('the recording notice was not heard to its end');
  if (!(firstSpeechAtMs >= noticeHeardAtMs))
    throw new Error('the person has not spoken since the recording notice');
  // The symbol exists for the type checker alone; the set is what proves the origin at run time.
  const issuedProof = Object.freeze({ noticeHeardAtMs, firstSpeechAtMs }) as GateProof;
  issued.add(issuedProof);
  return issuedProof;
}

export function isGateProof(candidate: object): candidate is GateProof {
  return issued.has(candidate);
}
