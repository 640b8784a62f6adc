// The agent of the demo workspace: a roofing company that qualifies and books.
import type { AgentConfig } from '../agents/agent-config.ts';

export const demoAgent: AgentConfig = {
  businessName: 'Summit Roofing',
  purpose: 'about the roof quote you asked for',
  language: 'en-US',
  timezone: 'America/New_York',
  voice: 'slt',
  questions: [
    {
      key: 'homeowner',
      question: 'Are you the owner of the home?',
      type: 'yes_no',
      required: true,
      weight: 40,
      passes: { kind: 'yes_no', is: true },
      knockout: true,
    },
    {
      key: 'roof_age_years',
      question: 'How old is your roof in years?',
      type: 'number',
      required: true,
      weight: 30,
      passes: { kind: 'number', min: 5 },
      knockout: false,
    },
    {
      key: 'start',
      question: 'When would you like to start: this month, next month, or later?',
      type: 'choice',
      required: true,
      weight: 30,
      choices: ['this month', 'next month', 'later'],
      passes: { kind: 'choice', among: ['this month', 'next month'] },
      knockout: false,
    },
  ],
  qualifyThreshold: 70,
  offersAppointment: true,
  appointmentMinutes: 60,
  voicemailText:
    'Hi {first_name}, this is {business} about the roof quote you asked for. Call us back or reply with a good time. Reply STOP to opt out.',
  cadence: { maxAttempts: 3, retryIntervalMinutes: 60, sendSmsOnVoicemail: true },
  maxCallSeconds: 600,
};
