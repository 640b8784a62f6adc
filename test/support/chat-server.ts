// A server of the chat completions protocol on loopback that answers as told, well or badly.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ChatAnswer =
  | { readonly kind: 'content'; readonly content: unknown }
  | { readonly kind: 'text'; readonly text: string; readonly status?: number }
  | { readonly kind: 'status'; readonly status: number; readonly location?: string }
  | { readonly kind: 'silence' }
  | { readonly kind: 'endless' };

export interface ChatRequest {
  readonly authorization: string | undefined;
  readonly path: string | undefined;
  readonly body: {
    readonly model: string;
    readonly messages: { readonly role: string; readonly content: string }[];
    readonly response_format: { readonly type: string; readonly json_schema: { strict: boolean } };
  };
}

export async function openChatServer() {
  const requests: ChatRequest[] = [];
  let answers: ChatAnswer[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push(readRequest(request, Buffer.concat(chunks).toString('utf8')));
      reply(response, answers.length > 1 ? answers.shift() : answers[0]);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    /** One after the other; the last one for all that follow. */
    answer(...next: ChatAnswer[]) {
      answers = next;
      requests.length = 0;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function readRequest(request: IncomingMessage, text: string): ChatRequest {
  return {
    authorization: request.headers.authorization,
    path: request.url,
    body: JSON.parse(text) as ChatRequest['body'],
  };
}

function reply(response: ServerResponse, answer: ChatAnswer | undefined) {
  const json = (status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (!answer || answer.kind === 'silence') return;
  if (answer.kind === 'content')
    json(200, {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          message: { role: 'assistant', content: JSON.stringify(answer.content) },
        },
      ],
    });
  else if (answer.kind === 'text')
    response.writeHead(answer.status ?? 200, { 'content-type': 'text/html' }).end(answer.text);
  else if (answer.kind === 'status')
    response
      .writeHead(answer.status, answer.location ? { location: answer.location } : {})
      .end('{"error": {"message": "planned"}}');
  else {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  }
}
