// The voice gateway: one media socket per live call. Any copy takes any call; run one per core.
import { join } from 'node:path';
import { createSpeech } from '../compose/create-speech.ts';
import { runProcess } from '../compose/run-process.ts';
import { createCallDesk } from '../domain/attempts/create-call-desk.ts';
import { startGateway } from './start-gateway.ts';

await runProcess('voice-gateway', async ({ ctx, config }) => {
  const desk = await createCallDesk(ctx);
  const { speech, brain, close } = createSpeech();
  const gateway = await startGateway({
    port: config.gatewayPort,
    host: config.host,
    desk,
    clock: ctx.clock,
    log: ctx.log,
    speech,
    brain,
    recordingsDir: join(config.dataDir, 'spool'),
    verifyUpgrade: ({ url, headers }) =>
      ctx.carrierCallbacks.verifyUpgrade({ url: `${config.gatewayPublicUrl}${url}`, headers }),
    limits: { drainMs: config.drainSeconds * 1000 },
  });
  return {
    async stop() {
      await gateway.close();
      await desk[Symbol.asyncDispose]();
      await close();
    },
  };
});
