// The sentences that no model may change.
import type { CallBrief } from '../domain/calls/call-desk.ts';
import { disclosureText } from '../domain/calls/disclosure.ts';

export type FixedLine =
  | 'notice'
  | 'still_there'
  | 'can_you_hear_me'
  | 'no_response_goodbye'
  | 'out_of_time_goodbye'
  | 'stop_calling_goodbye'
  | 'wrong_number_goodbye'
  | 'technical_apology';

export function wordFixedLine(line: FixedLine, brief: CallBrief): string {
  const business = brief.agent.businessName;
  switch (line) {
    case 'notice':
      return disclosureText(brief.agent, brief.lead.firstName, brief.direction);
    case 'still_there':
      return 'Are you still there?';
    case 'can_you_hear_me':
      return 'Hello, can you hear me?';
    case 'no_response_goodbye':
      return 'I cannot hear you, so I will let you go. Goodbye.';
    case 'out_of_time_goodbye':
      return `I am sorry, I have to end the call here. ${business} will follow up. Goodbye.`;
    case 'stop_calling_goodbye':
      return `Understood. ${business} will not call you again. Goodbye.`;
    case 'wrong_number_goodbye':
      return 'I am sorry for the mistake. We will not call this number again. Goodbye.';
    case 'technical_apology':
      return `I am sorry, we have a technical problem. ${business} will follow up. Goodbye.`;
  }
}

/** Said once a recording was stopped at the person's wish, before the talk goes on. */
export const recordingOffAcknowledgement = 'Of course, this call is not being recorded any more.';
