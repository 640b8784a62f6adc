// The API server: /v1, carrier callbacks, health. Stateless; run as many copies as you like.
import { runProcess } from '../compose/run-process.ts';
import { startServer } from './start-server.ts';

await runProcess('server', ({ ctx, config }) =>
  startServer(ctx, { port: config.port, host: config.host }),
);
