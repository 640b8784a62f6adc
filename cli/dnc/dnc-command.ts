// What each command of `svc dnc` is given, and who does it.
import type { Context } from '../../domain/context.ts';
import { findMember, type Member } from '../../domain/workspaces/member-queries.ts';

export interface DncOptions {
  readonly workspaceId: string;
  /** E-mail address of the member who does it. */
  readonly by: string | undefined;
  readonly reason: string | undefined;
  /** The number, file or search behind the command's name. */
  readonly what: string | undefined;
}

/** Answers the exit code. */
export type DncCommand = (ctx: Context, options: DncOptions) => Promise<number>;

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Says what was wrong; the exit code of a refusal. */
export function refuse(line: string): number {
  process.stderr.write(`${line}\n`);
  return 1;
}

/** Null, and said so, when the workspace has no such member. */
export async function readMember(ctx: Context, options: DncOptions): Promise<Member | null> {
  const member = options.by ? await findMember(ctx.db, options.workspaceId, options.by) : null;
  if (!member) refuse('--by must be the e-mail address of a member of the workspace.');
  return member;
}
