// Numbers of the wallet that no customer relies on; prices and minimums are in openapi/limits.ts.

export const billingLimits = {
  /** Orders that one statement wakes; as many as 0022-money.sql wakes with the money itself. */
  wakeBatch: 500,
  /** Whoever brings money wakes no more than these batches; the rest looks by itself within a minute. */
  wakeBatchesMax: 10,
  /** How long rent may stay unpaid before calling pauses. */
  rentGraceHours: 168,
  rentBatch: 200,
  proofBatch: 200,
  /** How far back the hourly proof looks at single transfers; older ones were proved before and never change. */
  proofLooksBackHours: 48,
  /** How much of a ledger one statement looks at. */
  proofStepHours: 168,
  /** What the payment provider takes in one payment. */
  depositMaxCents: 99_999_999,
  lookUpBatch: 100,
  /** A payment is looked up often at first, when people pay, and then until it expires. */
  lookUpEveryMinutes: 5,
  lookUpLaterEveryMinutes: 60,
  lookUpOftenForMinutes: 60,
} as const;
