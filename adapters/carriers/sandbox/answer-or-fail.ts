// Faults on order, for every request that places a call, sends a text or buys a number.
import type { FastifyReply } from 'fastify';
import type { Network } from './network.ts';

export interface ProtocolAnswers {
  /** HTTP status of a request that did what was asked. */
  readonly done: number;
  serverError(reply: FastifyReply): FastifyReply;
  tooManyRequests(reply: FastifyReply): FastifyReply;
}

/** Does what was asked, then answers, unless a test ordered a fault for this number. */
export async function answerOrFail(
  network: Network,
  to: string,
  reply: FastifyReply,
  answers: ProtocolAnswers,
  carryOut: () => Promise<object>,
): Promise<FastifyReply> {
  const fault = network.faults.takeRequestFault(to);
  switch (fault?.kind) {
    case 'fails_before_placing':
      return answers.serverError(reply);
    case 'too_many_requests':
      return answers.tooManyRequests(reply);
    case 'fails_after_placing':
      await carryOut();
      return answers.serverError(reply);
    case 'never_places':
      reply.hijack();
      return reply;
    case 'answers_late': {
      const answer = await carryOut();
      await network.clock.sleep(fault.afterMs, network.closing);
      return reply.code(answers.done).send(answer);
    }
    case undefined:
      return reply.code(answers.done).send(await carryOut());
  }
}
