// The life of one call, whoever placed it, until it is over.
import type { Network } from '../network.ts';
import { createParty } from '../people/create-party.ts';
import type { CallCustomer, CalledCustomer } from './call-customer.ts';
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

/** Starts a call that the customer placed; see `start`. */
export function startCall(network: Network, call: PhoneCall, customer: CallCustomer): LiveCall {
  const announced = customer.told('initiated');
  return start({ network, call, customer, announced, ring });
}

/** Starts a call to a number of the customer, who hears of it when it is offered; see `start`. */
export function startIncomingCall(
  network: Network,
  call: PhoneCall,
  customer: CalledCustomer,
): LiveCall {
  const ring = (running: Running) => offer(running, customer);
  return start({ network, call, customer, announced: Promise.resolve(), ring });
}

/** Returns the handle by which the call can be ended; registers it as live. */
function start({
  announced,
  ring,
  ...begun
}: Pick<Running, 'network' | 'call' | 'customer'> & {
  readonly announced: Promise<void>;
  readonly ring: (running: Running) => Promise<Outcome>;
}): LiveCall {
  const { network, call } = begun;
  const over = new AbortController();
  const running: Running = { ...begun, over, line: null };
  const ended = liveThrough(running, ring)
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

type Outcome = 'answered' | Exclude<CallStatus, 'in-progress'>;

async function liveThrough(
  running: Running,
  ring: (running: Running) => Promise<Outcome>,
): Promise<void> {
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

async function offer(running: Running, customer: CalledCustomer): Promise<Outcome> {
  const { network, call, over } = running;
  await network.clock.sleep(limits.setUpMs / network.simulationSpeed, over.signal);
  setStatus(call, 'ringing', network.clock.now());
  const answer = await customer.offered(over.signal);
  return over.signal.aborted ? 'canceled' : answer;
}

async function ring(running: Running): Promise<Outcome> {
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
    isCaller: call.direction === 'inbound',
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
