// What the scripted agent says between the questions.
import type { AgentConfig } from '../../../domain/agents/agent-config.ts';

type Business = Pick<AgentConfig, 'businessName'>;

const acknowledgements = ['Great.', 'Thank you.', 'Got it.'] as const;

export const lines = {
  acknowledge: (count: number) => acknowledgements[count % acknowledgements.length] ?? '',
  notUnderstood: 'Sorry, I did not quite get that.',
  neverMind: 'That is all right.',
  /** Before the first question, to somebody who called for a reason of their own. */
  takeDown: 'Let me take down a few things first.',
  iAmMachine: ({ businessName }: Business) =>
    `Yes, I am a virtual AI assistant calling for ${businessName}.`,
  iAnswerAsMachine: ({ businessName }: Business) =>
    `Yes, I am the virtual AI assistant of ${businessName}.`,
  whoAnswers: ({ businessName }: Business) =>
    `You have reached the virtual AI assistant of ${businessName}.`,
  whoCalls: ({ businessName, purpose }: Pick<AgentConfig, 'businessName' | 'purpose'>) =>
    `This is the virtual AI assistant of ${businessName}, calling ${purpose}.`,
  passOnHumanRequest: ({ businessName }: Business) =>
    `I cannot put you through, but I will tell ${businessName} that you want to speak to a person.`,
  humanWillCall: ({ businessName }: Business) =>
    `Of course. Somebody from ${businessName} will get in touch with you. Goodbye.`,
  notInterested: 'No problem at all. Thank you for your time. Goodbye.',
  callbackLater: ({ businessName }: Business) =>
    `No problem, I will pass that on to ${businessName}. Thank you, and goodbye.`,
  notAFit: ({ businessName }: Business) =>
    `Thank you. It seems that this is not the right fit for ${businessName}. Have a good day, bye.`,
  willFollowUp: ({ businessName }: Business) =>
    `Thank you, that is all I need. ${businessName} will follow up with you. Goodbye.`,
  outOfTime: ({ businessName }: Business) =>
    `I am afraid our time is up. Thank you, ${businessName} will follow up with you. Goodbye.`,
  offer: (times: string, only: boolean) =>
    only
      ? `Let us find a time to meet. I have ${times}. Does that work for you?`
      : `Let us find a time to meet. I have ${times}. Which works better for you?`,
  offerOthers: (times: string) => `Then how about ${times}? Which works better for you?`,
  offerAgain: (times: string) => `I have ${times}. Which of them works better for you?`,
  taken: 'I am sorry, that time was taken just now.',
  cannotBook: ({ businessName }: Business) =>
    `I am sorry, I cannot book a time right now. ${businessName} will contact you to find one. Thank you, and goodbye.`,
  booked: (time: string) => `Great, you are booked for ${time}. Thank you, and goodbye.`,
  noTime: ({ businessName }: Business) =>
    `No problem. ${businessName} will contact you to find a time. Thank you, and goodbye.`,
} as const;
