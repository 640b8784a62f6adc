// A call's line to the rest of the product: every request is tried again, none can end the call.
import type { CallBrief, CallDesk } from '../domain/calls/call-desk.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/log.ts';

const limits = { tries: 4, firstWaitMs: 250 } as const;

export interface DeskLine {
  readonly desk: CallDesk;
  readonly brief: CallBrief;
  /** Carries out a request that must not get lost; null once every try has failed. */
  insist<Result>(what: string, ask: () => Promise<Result>): Promise<Result | null>;
  /** Carries out a request that the next one makes up for. */
  mention(what: string, ask: () => Promise<unknown>): void;
  /** Resolves when nothing is under way any more. */
  settled(): Promise<void>;
}

export function openDeskLine(
  desk: CallDesk,
  brief: CallBrief,
  clock: Clock,
  log: Logger,
): DeskLine {
  const underWay = new Set<Promise<unknown>>();
  const follow = <Result>(work: Promise<Result>): Promise<Result> => {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
    return work;
  };
  const insist = async <Result>(what: string, ask: () => Promise<Result>) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await ask();
      } catch (error) {
        log.error({ err: error, request: what, tries }, 'request of a live call failed');
        if (tries === limits.tries) return null;
        await clock.sleep(limits.firstWaitMs * 2 ** (tries - 1));
      }
    }
  };
  return {
    desk,
    brief,
    insist: (what, ask) => follow(insist(what, ask)),
    mention(what, ask) {
      const once = async () => {
        try {
          await ask();
        } catch (error) {
          log.warn({ err: error, request: what }, 'request of a live call failed');
        }
      };
      void follow(once());
    },
    async settled() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}
