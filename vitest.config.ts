import { defineConfig } from 'vitest/config';

// `unit` needs no database and stays fast; `system` runs on an embedded Postgres that its global set-up starts.
export default defineConfig({
  test: {
    reporters: ['default', './test/support/summary-reporter.ts'],
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'test/{domain,voice,contract,platform,carriers}/**/*.test.ts',
            'test/tidy.test.ts',
          ],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'system',
          include: ['test/{api,calls,flows,faults}/**/*.test.ts'],
          globalSetup: ['test/support/global-postgres.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
