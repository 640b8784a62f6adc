// Example bodies of the document: one lead that is called, answers, and books.
import type { Order, OrderAccepted, OrderInput } from './orders.ts';

export const smallOrderExample: OrderInput = {
  agent_id: 'agt_5R8N1C6WZP',
  lead: { phone: '+12125550001' },
  consent: {
    opt_in_confirmed: true,
    consented_at: '2026-05-01T12:00:00Z',
    source: 'https://example.com/quote',
  },
};

export const fullOrderExample: OrderInput = {
  ...smallOrderExample,
  lead: {
    phone: '+12125550001',
    first_name: 'Dana',
    custom_context: 'Asked for a roof quote on Sunday.',
  },
  cadence: { max_attempts: 3, retry_interval_minutes: 60, send_sms_on_voicemail: true },
  webhook_url: 'https://example.com/hooks/calls',
  external_reference_id: 'crm-48213',
};

export const acceptedExample: OrderAccepted = {
  success: true,
  order_id: 'ord_7Q2M4X9KTB',
  status: 'QUEUED',
  estimated_dial_seconds: 2,
};

export const outcomeExample = {
  order_id: 'ord_7Q2M4X9KTB',
  external_reference_id: 'crm-48213',
  status: 'BOOKED',
  attempt_number: 1,
  duration_seconds: 94,
  billed_minutes: 2,
  charged_cents: 30,
  qualification: {
    qualified: true,
    score: 90,
    extracted_answers: { owns_home: true, roof_age_years: 18 },
    summary: 'Owns the house, roof is 18 years old, wants an inspection.',
  },
  appointment: {
    booked: true,
    start_time: '2026-05-05T17:00:00.000Z',
    calendar_event_id: 'cal_8V1K3TQ6',
  },
  recording_url: 'https://example.com/v1/recordings/ord_7Q2M4X9KTB.mp3',
  transcript: [
    {
      role: 'agent',
      text: 'Hi, I am a virtual AI assistant. This call is transcribed and may be recorded.',
    },
    { role: 'user', text: 'Sure, go ahead.' },
  ],
  reason: null,
  test: false,
} satisfies Partial<Order>;

export const orderExample: Order = {
  success: true,
  ...outcomeExample,
  direction: 'outbound',
  agent_id: 'agt_5R8N1C6WZP',
  agent_version: 4,
  lead: {
    phone: '+12125550001',
    first_name: 'Dana',
    custom_context: 'Asked for a roof quote on Sunday.',
  },
  cadence: { max_attempts: 3, retry_interval_minutes: 60, send_sms_on_voicemail: true },
  consent: {
    opt_in_confirmed: true,
    consented_at: '2026-05-01T12:00:00Z',
    source: 'https://example.com/quote',
  },
  webhook_url: 'https://example.com/hooks/calls',
  final: true,
  created_at: '2026-05-04T15:00:00.000Z',
  updated_at: '2026-05-04T15:02:31.000Z',
  completed_at: '2026-05-04T15:02:11.000Z',
  next_attempt_at: null,
  waiting_for: null,
  estimated_dial_seconds: 2,
  analysis: 'complete',
  attempts: [
    {
      number: 1,
      started_at: '2026-05-04T15:00:02.000Z',
      answered_at: '2026-05-04T15:00:37.000Z',
      ended_at: '2026-05-04T15:02:11.000Z',
      outcome: 'person',
      answered_by: 'person',
      duration_seconds: 94,
      charged_cents: 30,
    },
  ],
};
