// Time-outs of dialling and of live calls that no customer relies on; the promised ones are in openapi/limits.ts.

export const callLimits = {
  ringTimeoutSeconds: 30,
  /** Past ring time and this grace the carrier is asked how the call went. */
  ringGraceSeconds: 15,
  /** Added to the agent's longest call: the carrier's own hard stop, should we die. */
  carrierTimeLimitExtraSeconds: 60,
  /** A media token outlives the ring time and no more. */
  mediaTokenSeconds: 120,
  /** How often an order that waits for money looks again; a deposit wakes it at once. */
  moneyWaitSeconds: 60,
  slotWaitSeconds: 5,
  /** How long a dial waits for a rate deck that cannot be read. */
  deckWaitSeconds: 30,
  /** How long the gateway may take to report a call that the carrier ended. */
  gatewayReportGraceSeconds: 5,
  /** Silence of a gateway after which its call counts as lost. */
  gatewayLeaseSeconds: 45,
  lookAgainSeconds: 15,
  /** When a carrier that cannot be reached is no longer waited for. */
  unknownCallSeconds: 600,
  /** A claimed item is claimed again after this, should its worker have died. */
  leaseSeconds: 60,
} as const;
