// The rules of the house, as tables. An exception carries its reason, and goes when it is spare.

/** Who may import from where. Folders end in a slash; a folder may always import from itself. */
export const importRules: readonly {
  readonly folder: string;
  readonly mayImport: readonly string[];
  /** Only `import type` from there. */
  readonly typesFrom?: readonly string[];
  /** The only packages; without it, any of package.json. */
  readonly packages?: readonly string[];
}[] = [
  { folder: 'openapi/', mayImport: [], packages: ['zod'] },
  { folder: 'platform/', mayImport: [] },
  // Pure, and asked once per order: no database, no clock, no context. Domain and cli may use it.
  {
    folder: 'domain/calling-hours/',
    mayImport: ['openapi/', 'domain/leads/'],
    packages: ['temporal-polyfill', 'zod'],
  },
  { folder: 'domain/', mayImport: ['openapi/', 'platform/'] },
  // Of the domain: the ports and, to run, the rules of a call and of its price, which are pure.
  {
    folder: 'adapters/',
    mayImport: ['platform/', 'domain/calls/', 'domain/billing/'],
    typesFrom: ['domain/'],
  },
  { folder: 'compose/', mayImport: ['openapi/', 'platform/', 'domain/', 'adapters/'] },
  { folder: 'server/', mayImport: ['openapi/', 'platform/', 'domain/', 'compose/'] },
  { folder: 'jobs/', mayImport: ['openapi/', 'platform/', 'domain/', 'compose/'] },
  { folder: 'voice-gateway/', mayImport: ['openapi/', 'platform/', 'domain/', 'compose/'] },
  // Of the adapters: the parser of rate decks, so that a deck can be checked before it is used.
  {
    folder: 'cli/',
    mayImport: ['openapi/', 'platform/', 'domain/', 'compose/', 'sdk/src/', 'adapters/rate-decks/'],
  },
  { folder: 'sdk/src/', mayImport: [], packages: [] },
  { folder: 'dashboard/', mayImport: ['openapi/'], typesFrom: ['server/trpc/'] },
];

const generator = 'Runs at development time only: makes openapi.json from the router.';

export const importExceptions: readonly { from: string; to: string; reason: string }[] = [
  { from: 'openapi/document.ts', to: 'trpc-to-openapi', reason: generator },
  { from: 'openapi/document.ts', to: 'zod-openapi', reason: generator },
  { from: 'openapi/generate.ts', to: 'server/trpc/public-router.ts', reason: generator },
];

/** Folders that nobody imports from, themselves apart. */
export const endOfTheLine = ['test/', 'bench/', 'cli/'];
/** Who may do so all the same. */
export const mayImportAnything = ['test/', 'bench/'];

export const sizeLimits = {
  fileMaxLines: 400,
  functionMaxLines: 70,
  lineMaxColumns: 100,
  /** SQL reads better with a clause per line than at a column. */
  queryLineMaxColumns: 120,
  /** The formatter does not break comments. */
  commentMaxColumns: 120,
  importsMax: 14,
} as const;

/** A ratchet: a listed file may not grow beyond its number, and leaves the list when it fits. */
export const sizeExceptions: readonly {
  readonly file: string;
  readonly what: keyof typeof sizeLimits;
  readonly max: number;
  readonly reason: string;
}[] = [
  {
    file: 'test/support/test-context.ts',
    what: 'importsMax',
    max: 18,
    reason: 'Wires the whole domain the way compose/ does.',
  },
  {
    file: 'compose/create-context.ts',
    what: 'importsMax',
    max: 17,
    reason: 'One import per port; it is their table.',
  },
  {
    file: 'test/flows/rate-deck.test.ts',
    what: 'importsMax',
    max: 15,
    reason: 'Follows the price from the deck to the ledger.',
  },
  {
    file: 'jobs/tasks.ts',
    what: 'importsMax',
    max: 17,
    reason: 'One import per task; it is their table.',
  },
  { file: 'cli/demo/main.ts', what: 'importsMax', max: 15, reason: 'Starts a whole system.' },
  { file: 'bench/leads.ts', what: 'importsMax', max: 15, reason: 'Starts both sides.' },
  { file: 'bench/reads.ts', what: 'importsMax', max: 15, reason: 'Starts both sides.' },
  {
    file: 'server/start-server.ts',
    what: 'importsMax',
    max: 16,
    reason: 'One import per verb of the API; it is their table.',
  },
  {
    file: 'test/voice/support/sandbox-calls.ts',
    what: 'importsMax',
    max: 15,
    reason: 'Joins the gateway, the sandbox network and the speech of both.',
  },
  {
    file: 'voice-gateway/call-machine.ts',
    what: 'importsMax',
    max: 16,
    reason: 'One import per topic of the machine; it is their table of contents.',
  },
  {
    file: 'voice-gateway/call-parts.ts',
    what: 'importsMax',
    max: 18,
    reason: 'Assembles everything that a call holds.',
  },
  {
    file: 'test/voice/call-machine.test.ts',
    what: 'fileMaxLines',
    max: 502,
    reason: 'One scenario after the other over one driver.',
  },
  {
    file: 'test/voice/playout-properties.test.ts',
    what: 'functionMaxLines',
    max: 72,
    reason: 'A model and its checks, side by side.',
  },
  {
    file: 'test/voice/support/memory-desk.ts',
    what: 'functionMaxLines',
    max: 89,
    reason: 'The whole port of the desk, method by method.',
  },
];

/** Written by programs; nobody reads them line by line. */
export const generated = ['sdk/src/generated/'];

/** What may stand only in its home; tests and benchmarks may do it too, unless `everywhere`. */
export const homes: Readonly<
  Record<string, { readonly homes: readonly string[]; readonly everywhere?: boolean }>
> = {
  // Entry points hand the environment to loadConfig.
  'process.env': {
    homes: ['compose/run-process.ts', 'compose/sandbox-main.ts', 'cli/', 'sdk/examples/'],
  },
  // The SDK runs in other people's programs, which have no clock of ours.
  'Date.now': { homes: ['platform/clock.ts', 'sdk/src/'] },
  'new Date()': { homes: ['sdk/src/', 'sdk/examples/'] },
  'Math.random': { homes: ['sdk/src/'] },
  setTimeout: {
    homes: [
      'platform/clock.ts',
      'platform/db.ts',
      'adapters/speech/flite-thread.ts',
      'cli/demo/receiver.ts',
      'sdk/src/',
    ],
  },
  setInterval: { homes: ['voice-gateway/media/voice-activity.ts'] },
  console: { homes: ['sdk/examples/'] },
  // A connection lost between two statements may commit the second on its own.
  '.begin()': { homes: ['platform/migrate.ts'] },
  'SQL text': {
    homes: ['platform/', '-queries.ts', 'compose/create-context.ts'],
  },
  // Runners and bundlers load these files by their default export.
  'default export': {
    homes: [
      'vitest.config.ts',
      'test/support/summary-reporter.ts',
      'test/support/global-postgres.ts',
    ],
    everywhere: true,
  },
  any: { homes: [], everywhere: true },
  TODO: { homes: [], everywhere: true },
};

export const fileNamePattern = /^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.config)?\.tsx?$/;
export const emptyNames = [
  'util',
  'utils',
  'helper',
  'helpers',
  'common',
  'misc',
  'types',
  'index',
];
/** Entry files that others expect under this name. */
export const nameExceptions = ['sdk/src/index.ts'];

/** Written in Markdown, made at run time or elsewhere. */
export const pathsMadeLater = ['.data/', 'node_modules/', 'dist/'];
