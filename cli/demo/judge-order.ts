// Holds the finished order against everything that was promised, line by line.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../domain/context.ts';
import { readCallReports } from '../../domain/attempts/read-call-reports.ts';
import { readWallet } from '../../domain/billing/read-wallet.ts';
import { verifyWebhook, type Order } from '../../sdk/src/index.ts';
import type { Receiver } from './receiver.ts';

const webhookPatienceMs = 10_000;
const recordingPatienceMs = 10_000;

interface Findings {
  order: Order;
  receiver: Receiver;
  webhookSecret: string;
  recordingsDir: string;
  print: (line: string) => void;
}

/** True only if every line holds. */
export async function judgeOrder(ctx: Context, findings: Findings): Promise<boolean> {
  const { order, print } = findings;
  let kept = true;
  const tell = (holds: boolean, label: string, text: string) => {
    kept &&= holds;
    print(`${holds ? '  ok  ' : ' FAIL '} ${label.padEnd(12)} ${text}`);
  };
  print('');
  tell(order.status === 'BOOKED', 'status', order.status);
  tell(order.qualification?.qualified === true, 'answers', answersLine(order));
  tell(
    order.appointment.booked,
    'appointment',
    `${order.appointment.start_time} (${order.appointment.calendar_event_id})`,
  );
  tell(hasDisclosure(order), 'disclosure', 'stands in the transcript as it was heard');
  const costs = order.billed_minutes * 15 === order.charged_cents && order.charged_cents > 0;
  tell(
    costs,
    'cost',
    `${order.duration_seconds} s of talk -> ${order.billed_minutes} min x 15 c = ${order.charged_cents} c`,
  );
  await tellWallet(ctx, tell);
  await tellRecording(ctx, findings, tell);
  await tellWebhook(findings, tell);
  await tellLatencies(ctx, order, tell);
  print(kept ? '\nEverything holds.' : '\nSomething does not hold.');
  return kept;
}

type Tell = (holds: boolean, label: string, text: string) => void;

async function tellWallet(ctx: Context, tell: Tell) {
  const wallet = await readWallet(ctx, 'wsp_demo');
  const sums = wallet.balanceMicros === wallet.ledgerMicros && wallet.heldMicros === 0;
  const dollars = (micros: number) => `$${(micros / 1_000_000).toFixed(2)}`;
  tell(
    sums,
    'wallet',
    `balance ${dollars(wallet.balanceMicros)} = sum of the ledger, held ${dollars(wallet.heldMicros)}`,
  );
}

/** The mix is a job of its own, a moment after the call. */
async function tellRecording(ctx: Context, { order, recordingsDir }: Findings, tell: Tell) {
  const deadlineMs = ctx.clock.monotonicMs() + recordingPatienceMs;
  let file: string | undefined;
  while (!file && ctx.clock.monotonicMs() < deadlineMs) {
    file = (await listFiles(recordingsDir)).find((name) => name.endsWith('.mp3'));
    if (!file) await ctx.clock.sleep(100);
  }
  tell(
    file !== undefined && order.recording_url !== null,
    'recording',
    file ? join(recordingsDir, file) : 'none was stored',
  );
}

async function listFiles(directory: string): Promise<string[]> {
  try {
    return await readdir(directory, { recursive: true });
  } catch {
    return [];
  }
}

async function tellWebhook({ order, receiver, webhookSecret }: Findings, tell: Tell) {
  const received = await receiver.waitFor(
    ({ body }) => body.includes(order.order_id),
    webhookPatienceMs,
  );
  if (!received) {
    tell(false, 'webhook', 'no event arrived');
    return;
  }
  try {
    const event = await verifyWebhook(received.body, received.signature, webhookSecret);
    const same = event.status === order.status && event.charged_cents === order.charged_cents;
    tell(
      same && event.event === 'order.completed',
      'webhook',
      `${event.event}, signature verified, tells what GET tells`,
    );
  } catch (error) {
    tell(false, 'webhook', error instanceof Error ? error.message : String(error));
  }
}

async function tellLatencies(ctx: Context, order: Order, tell: Tell) {
  const [report] = await readCallReports(ctx, 'wsp_demo', order.order_id);
  const latencies = report?.turnLatenciesMs ?? [];
  tell(
    latencies.length > 0,
    'turns',
    `end of speech to answer: ${latencies.map(Math.round).join(', ')} ms`,
  );
}

function answersLine(order: Order): string {
  const answers = Object.entries(order.qualification?.extracted_answers ?? {});
  const told = answers.map(([key, value]) => `${key} = ${String(value)}`).join(', ');
  return `${told}; score ${order.qualification?.score}`;
}

function hasDisclosure(order: Order): boolean {
  const said = order.transcript.filter(({ role }) => role === 'agent').map(({ text }) => text);
  return ['virtual AI assistant', 'transcribed and may be recorded', 'stop calling'].every(
    (words) => said.some((text) => text.toLowerCase().includes(words.toLowerCase())),
  );
}
