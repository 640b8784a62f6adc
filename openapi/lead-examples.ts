// Example bodies of the trigger URL.
import type { LeadAccepted } from './leads.ts';

export const leadExamples = {
  flat: {
    summary: 'Fields of your own',
    value: {
      phone: '(212) 555-0123',
      first_name: 'Ann',
      custom_context: 'Asked for a roof quote on Sunday.',
    },
  },
  nested: {
    summary: 'As a lead form sends it',
    value: {
      field_data: [
        { name: 'full_name', values: ['Ann Lee'] },
        { name: 'phone_number', values: ['+12125550123'] },
      ],
    },
  },
};

export const leadAcceptedExample: LeadAccepted = {
  success: true,
  order_id: 'ord_7Q2M4X9KTB',
  status: 'QUEUED',
  estimated_dial_seconds: 2,
  duplicate: false,
  test: false,
};
