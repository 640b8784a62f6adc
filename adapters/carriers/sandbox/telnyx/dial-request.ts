// The body that dials, as far as the sandbox understands it. Pure.
import { z } from 'zod';
import type { CallOrder } from '../line/phone-call.ts';

export const e164 = z.string().regex(/^\+[1-9]\d{6,14}$/);
const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/);

export const DialRequest = z.object({
  connection_id: z.string().min(1),
  to: e164,
  from: e164,
  timeout_secs: z.int().min(5).max(600).default(30),
  time_limit_secs: z.int().min(30).max(14_400).default(14_400),
  client_state: base64.optional(),
  command_id: z.string().min(1).optional(),
  webhook_url: z.url({ protocol: /^https?$/ }).optional(),
  answering_machine_detection: z.enum(['premium', 'disabled']).default('disabled'),
  stream_url: z
    .string()
    .regex(/^wss?:\/\//)
    .optional(),
  stream_track: z.literal('inbound_track').optional(),
  stream_codec: z.literal('PCMU').optional(),
  stream_bidirectional_mode: z.literal('rtp').optional(),
  stream_bidirectional_codec: z.literal('PCMU').optional(),
  stream_bidirectional_sampling_rate: z.literal(8_000).optional(),
  stream_auth_token: z.string().max(4_000).optional(),
});
export type DialRequest = z.infer<typeof DialRequest>;

/** Telnyx always detects beside the call: nobody waits for it. */
export function callOrderOf(dial: DialRequest): CallOrder {
  return {
    to: dial.to,
    from: dial.from,
    timeoutSeconds: dial.timeout_secs,
    timeLimitSeconds: dial.time_limit_secs,
    detection: dial.answering_machine_detection === 'premium' ? premiumDetection : null,
    waitsForDetection: false,
  };
}

const premiumDetection = {
  mode: 'Enable',
  timeoutMs: 5_000,
  speechThresholdMs: 2_400,
  speechEndThresholdMs: 800,
  silenceTimeoutMs: 3_500,
} as const;
