// The life of one call, whoever placed it, until it is over.
import { createAnnouncer, type Announcer } from '../announce.ts';
import type { Network } from '../network.ts';
import { createParty } from '../people/create-party.ts';
import { Line } from './line.ts';
import { MachineDetection } from './machine-detection.ts';
import { addLine, durationSeconds, setStatus } from './phone-call.ts';
import type { CallStatus, LiveCall, PhoneCall } from './phone-call.ts';
import { playTwiml, readVerbs } from './play-twiml.ts';
import type { Verb } from './twiml.ts';

const limits = {
  /** From the order to the first sign of the far network, and on to its ringing. */
  setUpMs: 100,
  alertingMs: 400,
  busyToneMs: 600,
} as const;

/** Starts the call and returns the handle by which it can be ended; registers it as live. */
export function startCall(network: Network, call: PhoneCall): LiveCall {
  const over = new AbortController();
  const announcer = createAnnouncer(network, call);
  const running: Running = { network, call, announcer, over, line: null };
  const announced = announcer.progress('initiated');
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
  readonly announcer: Announcer;
  readonly over: AbortController;
  line: Line | null;
}

async function liveThrough(running: Running): Promise<void> {
  const { network, call, announcer } = running;
  call.dialedAt = network.clock.now();
  const { outcome, verbs } =
    call.direction === 'inbound'
      ? await offer(running)
      : { outcome: await ring(running), verbs: null };
  if (outcome === 'answered') await talk(running, verbs);
  call.endedAt = network.clock.now();
  setStatus(call, outcome === 'answered' ? 'completed' : outcome, call.endedAt);
  network.liveCalls.delete(call.sid);
  const seconds = durationSeconds(call);
  network.log.info({ callSid: call.sid, status: call.status, seconds }, 'sandbox call ended');
  await announcer.progress('completed');
}

type Outcome = 'answered' | Exclude<CallStatus, 'in-progress'>;

/** The customer says what becomes of a call to its number before anything is answered. */
async function offer(running: Running): Promise<{ outcome: Outcome; verbs: readonly Verb[] }> {
  const { network, call, over } = running;
  await network.clock.sleep(limits.setUpMs / network.simulationSpeed, over.signal);
  setStatus(call, 'ringing', network.clock.now());
  const verbs = await readVerbs(network, call);
  const [first] = verbs;
  if (over.signal.aborted) return { outcome: 'canceled', verbs };
  if (first?.kind !== 'reject') return { outcome: 'answered', verbs };
  return { outcome: first.reason === 'busy' ? 'busy' : 'no-answer', verbs };
}

async function ring(running: Running): Promise<Outcome> {
  const { network, call, announcer, over } = running;
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
  void announcer.progress('ringing');
  const timeoutMs = call.order.timeoutSeconds * 1_000;
  const answersAfterMs = pickUp.kind === 'answers' ? pickUp.afterMs : Number.POSITIVE_INFINITY;
  await wait(Math.min(answersAfterMs, timeoutMs));
  if (over.signal.aborted) return 'canceled';
  return answersAfterMs <= timeoutMs ? 'answered' : 'no-answer';
}

/** Without instructions yet, the customer is asked for them once somebody answered. */
async function talk(running: Running, given: readonly Verb[] | null): Promise<void> {
  const { network, call, announcer, over } = running;
  call.answeredAt = network.clock.now();
  setStatus(call, 'in-progress', call.answeredAt);
  void announcer.progress('answered');
  const detected = Promise.withResolvers<void>();
  using held = new DisposableStack();
  const line = held.use(openLine(running, detected.resolve));
  running.line = line;
  const playing = { network, call, line, over: over.signal };
  const play = async () => playTwiml(playing, given ?? (await readVerbs(network, call)));
  held.use(network.ticker.add(() => line.tick()));
  const limitMs = call.order.timeLimitSeconds * 1_000;
  const limit = network.clock.setTimer(() => over.abort(), limitMs);
  held.defer(() => limit.cancel());
  const ended = untilAborted(over.signal);
  // Without async detection nothing runs before it is decided: the person hears dead air.
  if (call.order.detection && !call.order.asyncDetection)
    await Promise.race([detected.promise, ended]);
  if (!over.signal.aborted) await Promise.race([play(), ended]);
  over.abort();
  running.line = null;
}

function openLine({ network, call, announcer, over }: Running, decided: () => void): Line {
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
      announcer.machineDetected(afterMs);
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
