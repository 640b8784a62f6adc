// The adapter of chat completions against a server of that protocol, well and ill.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createChatAnalyst } from '../../adapters/analysts/chat-analyst.ts';
import { demoAgent } from '../../domain/workspaces/demo-agent.ts';
import { openChatServer, type ChatAnswer } from '../support/chat-server.ts';

let server: Awaited<ReturnType<typeof openChatServer>>;

beforeAll(async () => {
  server = await openChatServer();
});
afterAll(() => server.close());

const call = {
  agent: demoAgent,
  turns: [{ position: 0, role: 'user' as const, text: 'Yes.', startMs: 0, endMs: 1 }],
};
const findings = { answers: [{ key: 'homeowner', value: true, quote: 'Yes.' }], summary: 'Short.' };
const analyst = () =>
  createChatAnalyst({
    baseUrl: server.baseUrl,
    apiKey: 'a key',
    model: 'a-model',
    requestMs: 1_000,
  });

it('asks for JSON by schema, with key and model, and hands back what was found', async () => {
  server.answer({ kind: 'content', content: findings });
  expect(await analyst().analyse(call)).toEqual({ kind: 'found', findings });
  const [request] = server.requests;
  expect(request).toMatchObject({
    path: '/v1/chat/completions',
    authorization: 'Bearer a key',
    body: {
      model: 'a-model',
      response_format: { type: 'json_schema', json_schema: { strict: true } },
      messages: [{ role: 'system' }, { role: 'user' }],
    },
  });
  const asked = JSON.parse(request?.body.messages[1]?.content ?? '') as Record<string, unknown>;
  expect(asked['transcript']).toEqual([{ role: 'user', text: 'Yes.' }]);
});

it.each<[string, ChatAnswer, string]>([
  ['an error of the server', { kind: 'status', status: 500 }, 'HTTP 500'],
  ['too many requests', { kind: 'status', status: 429 }, 'HTTP 429'],
  ['no answer in time', { kind: 'silence' }, 'TimeoutError'],
  ['an answer without end', { kind: 'endless' }, 'RangeError'],
  ['a page instead of JSON', { kind: 'text', text: '<html>' }, 'no completion'],
  ['JSON that is cut off', { kind: 'text', text: '{"choices": [' }, 'no completion'],
  ['other keys than asked', { kind: 'content', content: { result: [] } }, 'not as asked'],
  ['content that is no JSON', { kind: 'content', content: 'Sorry.' }, 'not as asked'],
])('%s is a failure, not an exception', async (_title, answer, detail) => {
  server.answer(answer);
  expect(await analyst().analyse(call)).toEqual({ kind: 'failed', detail });
});

it('the key follows no redirect', async () => {
  server.answer({ kind: 'status', status: 307, location: server.baseUrl });
  expect((await analyst().analyse(call)).kind).toBe('failed');
  expect(server.requests).toHaveLength(1);
});
