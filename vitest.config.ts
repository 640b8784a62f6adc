import { defineConfig } from 'vitest/config';

/** Slow because they are real: processes, sockets and audio that takes its time. */
const parts = [
  'test/platform/{embedded-postgres,migrate,supervise}.test.ts',
  'test/voice/{gateway,sandbox-callbacks,sandbox-media,sandbox-rest,voice-activity}.test.ts',
  'test/voice/call-recorder.test.ts',
  'test/carriers/carriers-with-sandbox.test.ts',
  'test/calls/**/*.test.ts',
];

// `unit` needs no database and stays under a minute; `parts` runs single parts for real; `system` runs on an
// embedded Postgres that its global set-up starts.
export default defineConfig({
  test: {
    // Most of their time the system tests wait for a call or a process.
    maxWorkers: 2,
    reporters: ['default', './test/support/summary-reporter.ts'],
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'test/{domain,voice,contract,platform,carriers,calendars}/**/*.test.ts',
            'test/tidy.test.ts',
          ],
          exclude: parts,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'parts',
          include: parts,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'system',
          include: ['test/{api,flows,faults}/**/*.test.ts'],
          globalSetup: ['test/support/global-postgres.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
