// /v2/messages
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { answerOrFail } from '../answer-or-fail.ts';
import { personAt } from '../people/people.ts';
import { carryText, takeText } from '../texts/carry-text.ts';
import { pairOf } from '../texts/text-back.ts';
import type { TextMessage } from '../text-message.ts';
import { e164 } from './dial-request.ts';
import { messageJson } from './message-json.ts';
import { newUuid } from './new-uuid.ts';
import { signedWebhook } from './send-webhook.ts';
import {
  invalidField,
  refusalErrors,
  refuse,
  telnyxAnswers,
  telnyxErrors,
} from './telnyx-error.ts';
import type { TelnyxNetwork } from './telnyx-network.ts';

const MessageRequest = z.object({
  to: e164,
  from: e164,
  text: z.string().min(1).max(1_600),
  messaging_profile_id: z.string().optional(),
  webhook_url: z.url({ protocol: /^https?$/ }).optional(),
});

export function serveMessages(app: FastifyInstance, network: TelnyxNetwork): void {
  app.post('/messages', (request, reply) => postMessage(network, request, reply));
  app.get<{ Params: { id: string } }>('/messages/:id', (request, reply) => {
    const text = network.texts.find(request.params.id);
    return text ? reply.send({ data: messageJson(text) }) : refuse(reply, telnyxErrors.notFound);
  });
}

function postMessage(network: TelnyxNetwork, request: FastifyRequest, reply: FastifyReply) {
  const parsed = MessageRequest.safeParse(request.body);
  if (!parsed.success) return refuse(reply, invalidField(parsed.error.issues[0]?.path ?? []));
  const { to, from, text: body, webhook_url: url } = parsed.data;
  const { refusedText } = personAt(to);
  if (refusedText) return refuse(reply, refusalErrors[refusedText]);
  if (network.stoppedPairs.has(pairOf({ from, to })))
    return refuse(reply, telnyxErrors.textsStopped);
  return answerOrFail(network, to, reply, telnyxAnswers, async () => {
    const senderPool = parsed.data.messaging_profile_id ?? null;
    const text = takeText(network, newUuid(), { to, from, body, senderPool });
    const shown = { data: messageJson(text) };
    void carryText(network, text, () => (url ? textStateRequest(network, text, url) : null));
    return shown;
  });
}

function textStateRequest(network: TelnyxNetwork, text: TextMessage, url: string) {
  const type = text.status === 'sent' ? 'message.sent' : 'message.finalized';
  return signedWebhook(network, { url, type, payload: messageJson(text) });
}
