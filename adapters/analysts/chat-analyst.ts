// The analyst port over any model that speaks the OpenAI chat completions protocol.
import { z } from 'zod';
import type { AnalysisResult, Analyst, FinishedCall } from '../../domain/calls/analyst.ts';
import { findingsSchema, wordRequest } from './word-request.ts';

const limits = { requestMs: 30_000, answerTokens: 2_000, answerBytes: 1_000_000 } as const;

export interface ChatModel {
  /** Up to and without `/chat/completions`. */
  readonly baseUrl: string;
  /** Absent where the server asks for none. */
  readonly apiKey: string | undefined;
  readonly model: string;
  readonly requestMs?: number;
}

const Completion = z.object({
  choices: z
    .array(z.object({ message: z.object({ content: z.string().nullish() }) }))
    .min(1)
    .max(16),
});

const Findings = z.object({
  answers: z.array(
    z.object({
      key: z.string(),
      value: z.union([z.boolean(), z.number(), z.string()]),
      quote: z.string(),
    }),
  ),
  summary: z.string().nullable(),
});

export function createChatAnalyst(chat: ChatModel): Analyst {
  return { name: chat.model, analyse: (call) => analyse(chat, call) };
}

/** One request: when to try again is decided by the table of what is due. */
async function analyse(chat: ChatModel, call: FinishedCall): Promise<AnalysisResult> {
  try {
    const response = await fetch(`${chat.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(chat.apiKey && { authorization: `Bearer ${chat.apiKey}` }),
      },
      body: JSON.stringify({
        model: chat.model,
        temperature: 0,
        max_tokens: limits.answerTokens,
        messages: wordRequest(call),
        response_format: { type: 'json_schema', json_schema: findingsSchema(call.agent.questions) },
      }),
      // The key is for this origin alone.
      redirect: 'error',
      signal: AbortSignal.timeout(chat.requestMs ?? limits.requestMs),
    });
    const text = await readText(response);
    if (!response.ok) return { kind: 'failed', detail: `HTTP ${response.status}` };
    return readFindings(text);
  } catch (error) {
    // The message of a failed request may hold its address and more; its name tells the cause.
    return { kind: 'failed', detail: error instanceof Error ? error.name : 'unknown' };
  }
}

function readFindings(text: string): AnalysisResult {
  const completion = Completion.safeParse(parseJson(text));
  if (!completion.success) return { kind: 'failed', detail: 'no completion' };
  const content = completion.data.choices[0]?.message.content ?? '';
  const findings = Findings.safeParse(parseJson(content));
  return findings.success
    ? { kind: 'found', findings: findings.data }
    : { kind: 'failed', detail: 'not as asked' };
}

/** Stops at the bound: a server that never ends its answer is not listened to. */
async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > limits.answerBytes) throw new RangeError('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
