// A person texts one of our numbers: kept once, and done as asked, before the carrier is answered.
import { newId } from '../../platform/ids.ts';
import type { TextReceivedEvent } from '../calls/carrier.ts';
import type { Context } from '../context.ts';
import { actOnOptOut } from '../do-not-contact/act-on-opt-out.ts';
import { helpText, startConfirmation, stopConfirmation, type Answered } from './answer-texts.ts';
import { readWish, type TextWish } from './read-wish.ts';
import type { ReceivedText } from './received-text.ts';
import { findTextedWorkspaces, receiveTexts, type TextedWorkspace } from './text-queries.ts';

const quoteMaxChars = 500;

export async function receiveText(ctx: Context, event: TextReceivedEvent): Promise<void> {
  const wish = wishOf(event);
  const workspaces = await findTextedWorkspaces(ctx.db, {
    callerNumber: event.to,
    phone: event.from,
  });
  const texts = concerned(workspaces, wish).map((workspace, index) =>
    receivedText(ctx, event, { wish, workspace, isFirst: index === 0 }),
  );
  if (texts.length === 0) {
    ctx.log.warn('a text came to a number that no workspace has');
    return;
  }
  for (const { workspaceId, outcome } of await receiveTexts(ctx.db, texts)) {
    ctx.log.info({ workspaceId, outcome }, 'text received');
    ctx.wakeJobs(ctx.clock.now());
    if (wish.kind === 'opt_out') await actOnOptOut(ctx, workspaceId, [event.from]);
  }
}

/** The carrier may know words of its own for what a person asks. */
function wishOf(event: TextReceivedEvent): TextWish {
  const wish = readWish(event.body);
  if (wish.kind === 'opt_out') return wish;
  switch (event.handledAs) {
    case 'stop':
      return { kind: 'opt_out', source: 'text_reply' };
    case 'start':
      return { kind: 'opt_in' };
    case 'help':
      return { kind: 'help' };
    case null:
      return wish;
  }
}

/**
 * Where several workspaces share the number, an opt-out holds for each that had to do with the person, and is lifted
 * wherever it stands; anything else is for the one that had to do with the person last.
 */
function concerned(workspaces: readonly TextedWorkspace[], wish: TextWish) {
  const last = workspaces.slice(0, 1);
  switch (wish.kind) {
    case 'opt_out': {
      const known = workspaces.filter(({ orderId }) => orderId !== null);
      return known.length > 0 ? known : workspaces;
    }
    case 'opt_in': {
      const listed = workspaces.filter((workspace) => workspace.listed);
      return listed.length > 0 ? listed : last;
    }
    case 'help':
    case 'none':
      return last;
  }
}

function receivedText(
  ctx: Context,
  event: TextReceivedEvent,
  of: { wish: TextWish; workspace: TextedWorkspace; isFirst: boolean },
): ReceivedText {
  const now = ctx.clock.now();
  const { wish, workspace } = of;
  const { workspaceId, orderId, businessName } = workspace;
  const answers = of.isFirst && event.handledAs === null;
  return {
    workspaceId,
    textId: newId('txt', now),
    carrierTextId: event.carrierTextId,
    phone: event.from,
    callerNumber: event.to,
    body: event.body,
    orderId,
    wish: wish.kind,
    source: wish.kind === 'opt_out' ? wish.source : null,
    quote: wish.kind === 'none' ? null : event.body.slice(0, quoteMaxChars),
    answer: answers ? answerTo(wish, { businessName, callerNumber: event.to }) : null,
    answerId: newId('txt', now),
    now,
  };
}

function answerTo(wish: TextWish, answered: Answered): string | null {
  switch (wish.kind) {
    case 'opt_out':
      return stopConfirmation(answered);
    case 'opt_in':
      return startConfirmation(answered);
    case 'help':
      return helpText(answered);
    case 'none':
      return null;
  }
}
