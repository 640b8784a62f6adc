// The sandbox phone network: people who follow scripts, behind the protocols of Twilio and of Telnyx.
import { systemClock } from '../../../platform/clock.ts';
import { createFlite } from '../../speech/flite.ts';
import { createSubtitlesRecogniser } from '../../speech/subtitles.ts';
import { Callbacks } from './callbacks.ts';
import { createHttp } from './create-http.ts';
import { createFaultPlan } from './fault-plan.ts';
import type { LiveCall, PhoneCall } from './line/phone-call.ts';
import { Ticker } from './line/ticker.ts';
import type { Network } from './network.ts';
import type { NumberSettings } from './number-owner.ts';
import { createNumberShop } from './number-shop.ts';
import { RecordBook } from './record-book.ts';
import type { SandboxLog } from './sandbox-log.ts';
import type { TextMessage } from './text-message.ts';

const limits = { callsKept: 5_000, textsKept: 5_000 } as const;

export interface SandboxOptions extends NumberSettings {
  /** 0 takes any free port. */
  readonly port: number;
  /** The loopback address unless given: the control API asks for no password. */
  readonly host?: string;
  /** Of the Twilio account; the Telnyx account is derived from its token. */
  readonly accountSid: string;
  readonly authToken: string;
  /** Divides ring times and thinking pauses, never audio. */
  readonly simulationSpeed: number;
  readonly log: SandboxLog;
}

export interface Sandbox {
  readonly port: number;
  /** In place of https://api.twilio.com and of https://api.telnyx.com. */
  readonly url: string;
  /** Hangs up all calls and forgets them. May be called twice. */
  close(): Promise<void>;
}

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { simulationSpeed, log, host = '127.0.0.1' } = options;
  const clock = systemClock();
  const voice = createFlite();
  const closer = new AbortController();
  const closing = closer.signal;
  const network: Network = {
    simulationSpeed,
    log,
    clock,
    closing,
    voice,
    calls: new RecordBook<PhoneCall>(limits.callsKept, (call) => call.endedAt !== null),
    texts: new RecordBook<TextMessage>(limits.textsKept, () => true),
    stoppedPairs: new Set<string>(),
    liveCalls: new Map<string, LiveCall>(),
    faults: createFaultPlan(),
    numbers: createNumberShop(),
    callbacks: new Callbacks({ clock, log, closing }),
    ears: createSubtitlesRecogniser(),
    ticker: new Ticker(clock),
  };
  const app = await createHttp(network, options);
  const url = await app.listen({ port: options.port, host });
  const port = Number(new URL(url).port);
  log.info({ port }, 'sandbox phone network is ready');
  let closed: Promise<void> | null = null;
  return {
    port,
    url,
    close: () => {
      closer.abort();
      return (closed ??= closeNetwork(network, app, voice));
    },
  };
}

async function closeNetwork(
  network: Network,
  app: Awaited<ReturnType<typeof createHttp>>,
  voice: AsyncDisposable,
): Promise<void> {
  await app.close();
  const live = [...network.liveCalls.values()];
  for (const call of live) call.hangUp();
  await network.callbacks[Symbol.asyncDispose]();
  await Promise.all(live.map((call) => call.ended));
  network.ticker[Symbol.dispose]();
  await voice[Symbol.asyncDispose]();
}
