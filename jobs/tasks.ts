// Job name -> task. Payloads carry ids only; every verb checks the state first, so a task may run twice.
import type { JobHelpers, TaskList } from 'graphile-worker';
import { z } from 'zod';
import type { Context } from '../domain/context.ts';
import { chargeRentsTask } from './charge-rents.ts';
import { analyseCallTask } from './analyse-call.ts';
import { deleteExpiredRecordingsTask } from './delete-expired-recordings.ts';
import { deliverWebhookTask } from './deliver-webhook.ts';
import { dialOrderTask } from './dial-order.ts';
import { lookUpDepositsTask } from './look-up-deposits.ts';
import { mixRecordingTask } from './mix-recording.ts';
import { proveWalletsTask } from './prove-wallets.ts';
import { pumpTask } from './pump.ts';
import { reconcileAttemptTask } from './reconcile-attempt.ts';
import { sendTextTask } from './send-text.ts';
import { settleAppointmentTask } from './settle-appointment.ts';
import { settleNumberTask } from './settle-number.ts';
import type { TaskFile } from './task-file.ts';

const tasks: Record<string, TaskFile> = {
  pump: pumpTask,
  dial_order: dialOrderTask,
  reconcile_attempt: reconcileAttemptTask,
  deliver_webhook: deliverWebhookTask,
  send_text: sendTextTask,
  mix_recording: mixRecordingTask,
  charge_rents: chargeRentsTask,
  look_up_deposits: lookUpDepositsTask,
  prove_wallets: proveWalletsTask,
  settle_appointment: settleAppointmentTask,
  settle_number: settleNumberTask,
  analyse_call: analyseCallTask,
  delete_expired_recordings: deleteExpiredRecordingsTask,
};

export function taskList(ctx: Context): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      async (payload: unknown, helpers: JobHelpers) => {
        await task.run(ctx, z.record(z.string(), z.unknown()).catch({}).parse(payload), helpers);
      },
    ]),
  );
}
