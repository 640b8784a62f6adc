// Sends a due text at most once. Intent is kept before the carrier is asked.
import type { Context } from '../context.ts';
import { actOnOptOut } from '../do-not-contact/act-on-opt-out.ts';
import { askText, keepTextResult } from './text-queries.ts';

/** A text whose sender died after asking stays unknown: it is not sent a second time. */
export async function sendText(ctx: Context, ref: { workspaceId: string; textId: string }) {
  const text = await askText(ctx.db, ref, ctx.clock.now());
  if (!text) return;
  const result = await ctx.carrier.sendText({
    textId: text.id,
    to: text.phone,
    from: text.callerNumber ?? '',
    body: text.body,
    statusCallbackUrl: `${ctx.settings.publicUrl}/carriers/${ctx.carrier.name}/${ref.workspaceId}/texts/${text.id}`,
  });
  await keepTextResult(
    ctx.db,
    { ...ref, orderId: text.orderId, phone: text.phone },
    result,
    ctx.clock.now(),
  );
  const code = result.kind === 'refused' ? result.code : undefined;
  ctx.log.info({ textId: text.id, outcome: result.kind, code }, 'text asked');
  if (result.kind === 'refused' && result.why === 'do_not_contact')
    await actOnOptOut(ctx, ref.workspaceId, [text.phone]);
}
