// Leads at a trigger URL: any tool's fields in, an order out.
import { z } from 'zod';
import { OrderAccepted } from './orders.ts';
import { OrderStatus } from './outcome.ts';

export const LeadPayload = z
  .looseObject({
    phone: z
      .union([z.string(), z.number()])
      .optional()
      .meta({
        description:
          'A US number in any usual way of writing. Fields such as `phone_number`, `mobile`, ' +
          '`cell` or "Your phone" do as well, also deeper in the body.',
        examples: ['(212) 555-0123'],
      }),
    first_name: z
      .string()
      .optional()
      .meta({
        description: 'Name of the lead; else the first word of `full_name` or `name`.',
        examples: ['Ann'],
      }),
    custom_context: z
      .string()
      .optional()
      .meta({
        description: 'Why the lead is called; else `message`, `notes` or `comments`.',
        examples: ['Asked for a roof quote on Sunday.'],
      }),
  })
  .meta({
    id: 'LeadPayload',
    description:
      'Whatever a form or automation tool posts. Bodies of Zapier, Make, Meta and Google lead ' +
      'forms, HubSpot, Typeform, Webflow, Jotform, Elementor and others are understood as they are.',
  });

export const LeadAccepted = OrderAccepted.extend({
  status: OrderStatus.meta({ description: '`QUEUED`, or the present status on a duplicate.' }),
  duplicate: z.boolean().meta({
    description: 'true when the same payload came within 24 hours: this is its first order.',
  }),
  test: z.boolean().meta({
    description: 'true for a test lead, and for a lead that marks itself as a test.',
  }),
}).meta({ id: 'LeadAccepted', description: 'The lead became an order, now or before.' });
export type LeadAccepted = z.infer<typeof LeadAccepted>;
