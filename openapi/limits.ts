// Every number that the interface promises, in one place; each name ends in its unit.

export const limits = {
  order: {
    /** Ours: the specification bounds only the trigger URL; both intakes share the bound. */
    bodyMaxBytes: 65_536,
    externalReferenceIdMaxChars: 200,
    idempotencyKeyMaxChars: 200,
    webhookUrlMaxChars: 2_048,
    /** How far ahead a legal calling window must begin. */
    callingWindowSearchDays: 3,
  },
  wallet: { minimumToOrderMicros: 1_000_000, firstDepositMinimumMicros: 50_000_000 },
  cadence: {
    attemptsMin: 1,
    attemptsMax: 3,
    retryIntervalMinMinutes: 5,
    retryIntervalMaxMinutes: 10_080,
  },
  consent: {
    futureSkewMaxMinutes: 5,
    ageMaxDays: 1_461,
    sourceMaxChars: 500,
  },
  testOrders: { per24Hours: 500 },
  reads: { perMinute: 120 },
  orderList: { pageDefault: 50, pageMax: 100 },
  triggerUrl: {
    bodyMaxBytes: 65_536,
    leadsPerMinute: 60,
    retryAfterSeconds: 60,
    duplicateWindowHours: 24,
    testNumberConfirmedWithinDays: 90,
    /** Ours: how the one-time code that confirms a number is guarded. */
    numberCode: { digits: 6, lifetimeMinutes: 10, triesMax: 5, sentPerHour: 5 },
  },
  apiKeys: { activeMax: 20, createdPerHour: 20 },
  testEvents: { perHour: 10 },
  webhook: {
    responseTimeoutSeconds: 10,
    attemptsMax: 6,
    /** Waits before the second to the sixth attempt. */
    retryDelaysMinutes: [1, 5, 30, 120, 720],
    signatureToleranceSeconds: 300,
    secretOverlapDefaultHours: 24,
    secretOverlapMaxHours: 24,
  },
  recording: {
    linkLifetimeMinutes: 15,
    retentionDefaultDays: 30,
    retentionMinDays: 1,
    retentionMaxDays: 365,
  },
  calls: {
    /** Live orders of one workspace that may be on the phone at once; others wait. */
    liveMax: 10,
    /** Dials to one number over all orders of a workspace. */
    dialsPerNumberPer24Hours: 3,
    /** A talk that ends earlier was dropped rather than held. */
    droppedBeforeSeconds: 10,
    /**
     * Times that a dial which surely never rang is tried again uncounted, and the wait before each.
     */
    carrierFaultsMax: 3,
    carrierFaultWaitSeconds: 30,
  },
  pricing: {
    connectedMinuteMicros: 150_000,
    textMessageMicros: 15_000,
    phoneNumberMonthlyMicros: 3_000_000,
  },
} as const;
