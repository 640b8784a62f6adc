// Example answers of the read operations.
import type { AgentList } from './agents.ts';
import { orderExample } from './examples.ts';
import type { Me } from './me.ts';
import type { OrderList, OrderSummary } from './order-list.ts';

const { success: _, transcript, attempts, consent, ...orderSummary } = orderExample;

/** Ordered on a Sunday for a number of Alabama, whose phones rest until Monday morning. */
const waitingOrder: OrderSummary = {
  ...orderSummary,
  order_id: 'ord_9D3H6R1VKC',
  external_reference_id: 'crm-48219',
  status: 'QUEUED',
  attempt_number: 0,
  duration_seconds: 0,
  billed_minutes: 0,
  charged_cents: 0,
  qualification: null,
  appointment: { booked: false, start_time: null, calendar_event_id: null },
  recording_url: null,
  lead: { ...orderSummary.lead, phone: '+12055550118' },
  final: false,
  created_at: '2026-05-03T18:30:00.000Z',
  updated_at: '2026-05-03T18:30:00.000Z',
  completed_at: null,
  next_attempt_at: '2026-05-04T13:00:00.000Z',
  waiting_for: {
    rule: 'sunday',
    time_zone: 'America/Chicago',
    until: '2026-05-04T13:00:00.000Z',
  },
  estimated_dial_seconds: 66_600,
  analysis: 'none',
};

/** A person called, and was not the owner of the home. */
const inboundSummary: OrderList['orders'][number] = {
  ...orderSummary,
  order_id: 'ord_5H8T2C1VRW',
  external_reference_id: null,
  status: 'DISQUALIFIED',
  reason: 'knocked_out',
  direction: 'inbound',
  duration_seconds: 41,
  billed_minutes: 1,
  charged_cents: 15,
  qualification: {
    qualified: false,
    score: 0,
    extracted_answers: { owns_home: false },
    summary: 'Rents the house.',
  },
  appointment: { booked: false, start_time: null, calendar_event_id: null },
  recording_url: 'https://example.com/v1/recordings/ord_5H8T2C1VRW.mp3',
  lead: { phone: '+12125550002', first_name: null, custom_context: null },
  cadence: { max_attempts: 1, retry_interval_minutes: 60, send_sms_on_voicemail: false },
  webhook_url: null,
  created_at: '2026-05-04T14:10:00.000Z',
  updated_at: '2026-05-04T14:10:44.000Z',
  completed_at: '2026-05-04T14:10:44.000Z',
  estimated_dial_seconds: 0,
};

export const orderListExample: OrderList = {
  success: true,
  orders: [orderSummary, waitingOrder, inboundSummary],
  has_more: true,
  next_cursor: 'WyIyMDI2LTA1LTA0Il0.q83vEjRWeJA',
};

export const meExample: Me = {
  success: true,
  workspace: { id: 'wsp_2C4V9M1HRT', name: 'Summit Roofing', timezone: 'America/New_York' },
  key: {
    id: 'key_6D0J3W8QNB',
    name: 'Website',
    mode: 'live',
    last4: 'x7Qp',
    created_at: '2026-04-02T09:30:00.000Z',
  },
  plan: { status: 'active' },
  wallet: {
    balance_cents: 4_820,
    held_cents: 17,
    available_cents: 4_803,
    unpaid_rent_cents: 0,
    currency: 'USD',
  },
  can_place_orders: true,
  blocked_reason: null,
  limits: {
    live_calls: { limit: 10, current: 1 },
    test_orders: { limit: 500, used: 12 },
    reads_per_minute: 120,
  },
};

export const agentListExample: AgentList = {
  success: true,
  agents: [
    {
      agent_id: 'agt_5R8N1C6WZP',
      name: 'Roof quotes',
      active: true,
      published: true,
      published_at: '2026-04-20T16:00:00.000Z',
      version: 4,
      callable: true,
      not_callable_reason: null,
      language: 'en-US',
      timezone: 'America/New_York',
      questions: [
        {
          key: 'owns_home',
          question: 'Are you the owner of the home?',
          type: 'yes_no',
          required: true,
        },
      ],
      cadence_defaults: {
        max_attempts: 3,
        retry_interval_minutes: 60,
        send_sms_on_voicemail: true,
      },
      calendar_connected: true,
      caller_numbers: ['+12125550199'],
      created_at: '2026-04-02T09:31:00.000Z',
      updated_at: '2026-04-20T16:00:00.000Z',
    },
  ],
};
