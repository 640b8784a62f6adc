// Everything that can happen to the orders of one workspace, one verb at a time, and a worker that may die in each.
import type { CallBrief, CallDesk } from '../../domain/calls/call-desk.ts';
import type { CarrierCallState } from '../../domain/calls/carrier.ts';
import type { Context } from '../../domain/context.ts';
import { acceptOrder } from '../../domain/orders/accept-order.ts';
import { applyCarrierEvent } from '../../domain/attempts/apply-carrier-event.ts';
import { claimDue, type DueTask } from '../../domain/orders/claim-due.ts';
import { AppError } from '../../domain/app-error.ts';
import type { TurnableClock } from '../../platform/clock.ts';
import { talkReport, type TalkKind } from './talk-reports.ts';
import { Crash, type CrashingDatabase, type CrashPoint } from './crashing-database.ts';
import { orderBody, type TestWorkspace } from './factories.ts';
import { runTask } from './run-task.ts';
import { isUp, stateOf, type ScriptedCall, type ScriptedCarrier } from './scripted-carrier.ts';

/** A gateway that holds a call. */
interface Session {
  readonly brief: CallBrief;
  readonly call: ScriptedCall;
  answeredAt: Date | null;
  turns: number;
  lost: boolean;
}

export interface WorldParts {
  readonly ctx: Context;
  readonly desk: CallDesk;
  readonly clock: TurnableClock;
  readonly database: CrashingDatabase;
  readonly network: ScriptedCarrier;
  readonly workspace: TestWorkspace;
}

export interface IntakeWish {
  readonly simulated: boolean;
  readonly phone: string;
  readonly maxAttempts: number;
  readonly texts: boolean;
}

export class OrderWorld {
  readonly #parts: WorldParts;
  readonly #sessions: Session[] = [];

  constructor(parts: WorldParts) {
    this.#parts = parts;
  }

  /** Runs one verb as a process that may die at the crash point; what a dead process lost is lost. */
  async asProcess(crash: CrashPoint | null, run: () => Promise<unknown>): Promise<void> {
    const { database } = this.#parts;
    database.arm(crash);
    try {
      await run();
    } catch (error) {
      if (!(error instanceof Crash) && !(error instanceof AppError) && !database.isDead())
        throw error;
    } finally {
      database.arm(null);
    }
  }

  intake({ simulated, phone, maxAttempts, texts }: IntakeWish) {
    const { ctx, workspace } = this.#parts;
    const key = {
      keyId: 'key_test',
      workspaceId: workspace.id,
      mode: simulated ? 'test' : 'live',
    } as const;
    const order = orderBody(workspace, {
      lead: { phone },
      webhook_url: 'https://receiver.invalid/hook',
      cadence: {
        max_attempts: maxAttempts,
        retry_interval_minutes: 5,
        send_sms_on_voicemail: texts,
      },
    });
    return acceptOrder(ctx, key, { order: order as never, idempotencyKey: null });
  }

  /** The jobs look once; each task is a process of its own. */
  async pump(crash: CrashPoint | null): Promise<void> {
    const { ctx, network } = this.#parts;
    network.passTime();
    const tasks: DueTask[] = [];
    await this.asProcess(crash, async () => {
      tasks.push(...(await claimDue(ctx)).tasks);
    });
    for (const task of tasks)
      // What is delivered where is not the subject here.
      if (task.task !== 'deliver_webhook') await this.asProcess(crash, () => runTask(ctx, task));
  }

  async turn(seconds: number) {
    await this.#parts.clock.turn(seconds * 1000);
    this.#parts.network.passTime();
  }

  // The network.

  #pick<Item>(items: readonly Item[], choice: number): Item | undefined {
    return items[choice % Math.max(1, items.length)];
  }

  pickUp(choice: number) {
    const ringing = this.#parts.network.calls.filter((call) => stateOf(call) === 'ringing');
    this.#parts.network.pickUp(this.#pick(ringing, choice));
  }

  endCall(choice: number, how: 'busy' | 'failed' | 'canceled' | 'no_answer') {
    const call = this.#pick(this.#parts.network.calls.filter(isUp), choice);
    call?.states.push(call.answeredAt ? 'completed' : how);
  }

  /** Any callback of any call, as often and as late as one likes. */
  async callBack(call: number, state: number, copies: number) {
    const { ctx, network } = this.#parts;
    const from = this.#pick(network.calls, call);
    const told = from && this.#pick(from.states, state);
    if (!from || !told) return;
    const event = {
      kind: 'call_state' as const,
      eventId: `${from.id}:${told}`,
      carrierCallId: from.id,
      state: told satisfies CarrierCallState,
      durationSeconds: told === 'completed' ? 5 : null,
    };
    await together(copies, () => applyCarrierEvent(ctx, from.ref, event));
  }

  async detectMachine(choice: number, answeredBy: 'person' | 'machine' | 'unknown') {
    const { ctx, network } = this.#parts;
    const call = this.#pick(network.calls, choice);
    if (!call) return;
    await applyCarrierEvent(ctx, call.ref, {
      kind: 'machine_detection',
      eventId: `${call.id}:machine`,
      carrierCallId: call.id,
      answeredBy,
    });
  }

  // The gateway.

  async admit(choice: number, copies: number) {
    const { network, desk } = this.#parts;
    const answered = network.calls.filter((call) => stateOf(call) === 'in_progress');
    const call = this.#pick(answered, choice);
    if (!call) return;
    await together(copies, async () => {
      const admission = await desk.admit(call.token, call.id);
      if (admission.kind !== 'admitted') return;
      const { brief } = admission;
      this.#sessions.push({ brief, call, answeredAt: null, turns: 0, lost: false });
    });
  }

  async talk(choice: number, act: 'answered' | 'turn' | 'alive' | 'extend') {
    const { desk, clock } = this.#parts;
    const held = this.#sessions.filter((session) => !session.lost && isUp(session.call));
    const session = this.#pick(held, choice);
    if (!session) return;
    const { brief } = session;
    if (act === 'answered') {
      session.answeredAt ??= clock.now();
      await desk.personAnswered(brief, session.answeredAt);
    } else if (act === 'alive') await desk.keepAlive(brief);
    else if (act === 'extend') await desk.extendHold(brief);
    else {
      const position = session.turns;
      session.turns += 1;
      const role = position % 2 === 0 ? 'agent' : 'user';
      await desk.keepTurn(brief, { position, role, text: 'Yes.', startMs: 0, endMs: 1 });
    }
  }

  /** The gateway reports and the line goes down; a report may come again. */
  async report(choice: number, kind: TalkKind, copies: number) {
    const { desk, clock } = this.#parts;
    const session = this.#pick(
      this.#sessions.filter(({ lost }) => !lost),
      choice,
    );
    if (!session) return;
    const report = talkReport(kind, session.answeredAt ?? session.call.answeredAt, clock.now());
    if (report.optedOut) await desk.optOut(session.brief, report.optedOut, 'stop calling');
    if (isUp(session.call)) session.call.states.push('completed');
    await together(copies, () => desk.finish(session.brief, report));
  }

  loseGateway() {
    for (const session of this.#sessions) session.lost = true;
  }

  // The workspace.

  optOut(phone: string) {
    const { ctx, workspace } = this.#parts;
    return ctx.db`
      select suppress_number(${workspace.id}, ${phone}, 'said', null, null, ${ctx.clock.now()})`;
  }

  setPlan(status: 'active' | 'past_due' | 'inactive') {
    const { ctx, workspace } = this.#parts;
    return ctx.db`update workspaces set plan_status = ${status} where id = ${workspace.id}`;
  }

  pauseWallet(paused: boolean) {
    const { ctx, workspace } = this.#parts;
    return ctx.db`update wallets set paused = ${paused} where workspace_id = ${workspace.id}`;
  }

  deposit(amountMicros: number) {
    const { ctx, workspace } = this.#parts;
    return ctx.db`
      select deposit(${workspace.id}, 'trf_' || gen_random_uuid(), gen_random_uuid()::text,
        ${amountMicros}::bigint, ${ctx.clock.now()})`;
  }

  switchAgent(active: boolean) {
    const { ctx, workspace } = this.#parts;
    return ctx.db`update agents set active = ${active} where workspace_id = ${workspace.id}`;
  }
}

/** The same thing so many times at once. */
async function together(copies: number, act: () => Promise<unknown>): Promise<void> {
  const results = await Promise.allSettled(Array.from({ length: copies }, act));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
