// One claimed piece of work, done as the jobs do it.
import type { Context } from '../../domain/context.ts';
import { settleAppointment } from '../../domain/appointments/settle-appointment.ts';
import { analyseCall } from '../../domain/attempts/analyse-call.ts';
import type { DueTask } from '../../domain/orders/claim-due.ts';
import { dialOrder } from '../../domain/dialling/dial-order.ts';
import { reconcileAttempt } from '../../domain/attempts/reconcile-attempt.ts';
import { storeRecording } from '../../domain/recordings/store-recording.ts';
import { sendText } from '../../domain/texts/send-text.ts';
import { settleDueNumber } from '../../domain/workspaces/settle-numbers.ts';
import { deliverWebhook } from '../../domain/webhooks/deliver-webhook.ts';

export async function runTask(ctx: Context, task: DueTask): Promise<void> {
  switch (task.task) {
    case 'dial_order':
      return dialOrder(ctx, task);
    case 'reconcile_attempt':
      return reconcileAttempt(ctx, task, 'due');
    case 'deliver_webhook':
      return deliverWebhook(ctx, task);
    case 'send_text':
      return sendText(ctx, task);
    case 'mix_recording':
      return storeRecording(ctx, task);
    case 'settle_appointment':
      return settleAppointment(ctx, task);
    case 'settle_number':
      return settleDueNumber(ctx, task);
    case 'analyse_call':
      return analyseCall(ctx, task);
  }
}
