// The life of one call, from the order to place it until it is over.
import type { Network } from '../network.ts';
import { createParty } from '../people/create-party.ts';
import type { CallCustomer } from './call-customer.ts';
import { Line } from './line.ts';
import { MachineDetection } from './machine-detection.ts';
import { addLine, durationSeconds, setStatus } from './phone-call.ts';
import type { CallStatus, LiveCall, PhoneCall } from './phone-call.ts';

const limits = {
  /** From the order to the first sign of the far network, and on to its ringing. */
  setUpMs: 100,
  alertingMs: 400,
  busyToneMs: 600,
} as const;

/** Starts the call and returns the handle by which it can be ended; registers it as live. */
export function startCall(network: Network, call: PhoneCall, customer: CallCustomer): LiveCall {
  const over = new AbortController();
  const running: Running = { network, call, customer, over, line: null };
  const announced = customer.told('initiated');
  const ended = liveThrough(running)
    .catch((error: unknown) =>
      network.log.error({ callSid: call.sid, err: error }, 'sandbox call broke'),
    )
    .finally(() => network.liveCalls.delete(call.sid));
  const live: LiveCall = {
    call,
    announced,
    hangUp: () => over.abort(),
    press: (digit) => pressDigit(running, digit),
    ended,
  };
  network.liveCalls.set(call.sid, live);
  return live;
}

interface Running {
  readonly network: Network;
  readonly call: PhoneCall;
  readonly customer: CallCustomer;
  readonly over: AbortController;
  line: Line | null;
}

async function liveThrough(running: Running): Promise<void> {
  const { network, call, customer } = running;
  call.dialedAt = network.clock.now();
  const outcome = await ring(running);
  if (outcome === 'answered') await talk(running);
  call.endedAt = network.clock.now();
  setStatus(call, outcome === 'answered' ? 'completed' : outcome, call.endedAt);
  network.liveCalls.delete(call.sid);
  const seconds = durationSeconds(call);
  network.log.info({ callSid: call.sid, status: call.status, seconds }, 'sandbox call ended');
  await customer.told('completed');
}

async function ring(running: Running): Promise<'answered' | Exclude<CallStatus, 'in-progress'>> {
  const { network, call, customer, over } = running;
  const { pickUp } = call.person;
  const wait = (ms: number) => network.clock.sleep(ms / network.simulationSpeed, over.signal);
  await wait(limits.setUpMs);
  if (over.signal.aborted) return 'canceled';
  if (pickUp.kind === 'busy') {
    await wait(limits.busyToneMs);
    return over.signal.aborted ? 'canceled' : 'busy';
  }
  await wait(limits.alertingMs);
  if (over.signal.aborted) return 'canceled';
  setStatus(call, 'ringing', network.clock.now());
  void customer.told('ringing');
  const timeoutMs = call.order.timeoutSeconds * 1_000;
  const answersAfterMs = pickUp.kind === 'answers' ? pickUp.afterMs : Number.POSITIVE_INFINITY;
  await wait(Math.min(answersAfterMs, timeoutMs));
  if (over.signal.aborted) return 'canceled';
  return answersAfterMs <= timeoutMs ? 'answered' : 'no-answer';
}

async function talk(running: Running): Promise<void> {
  const { network, call, customer, over } = running;
  call.answeredAt = network.clock.now();
  setStatus(call, 'in-progress', call.answeredAt);
  void customer.told('answered');
  const detected = Promise.withResolvers<void>();
  using held = new DisposableStack();
  const line = held.use(openLine(running, detected.resolve));
  running.line = line;
  held.use(network.ticker.add(() => line.tick()));
  const limitMs = call.order.timeLimitSeconds * 1_000;
  const limit = network.clock.setTimer(() => over.abort(), limitMs);
  held.defer(() => limit.cancel());
  const ended = untilAborted(over.signal);
  if (call.order.detection && call.order.waitsForDetection)
    await Promise.race([detected.promise, ended]);
  if (!over.signal.aborted) await Promise.race([customer.converse(line, over.signal), ended]);
  over.abort();
  running.line = null;
}

function openLine({ network, call, customer, over }: Running, decided: () => void): Line {
  const party = createParty(call.person, {
    network,
    hangUp: () => over.abort(),
    note: (line) => addLine(call, line),
  });
  const { detection } = call.order;
  return new Line({
    party,
    detection: detection && new MachineDetection(detection),
    detected(answeredBy, afterMs) {
      call.answeredBy = answeredBy;
      customer.machineDetected(afterMs);
      decided();
    },
  });
}

function pressDigit({ line }: Running, digit: string): boolean {
  if (!line?.stream?.isOpen) return false;
  line.stream.sendDigit(digit);
  return true;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
