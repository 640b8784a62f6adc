// Time-outs of dialling and of live calls that no customer relies on; the promised ones are in openapi/limits.ts.

export const callLimits = {
  ringTimeoutSeconds: 30,
  /** Past ring time and this grace the carrier is asked how the call went. */
  ringGraceSeconds: 15,
  /** How soon after the dial began the carrier is asked, or not at all: well before the watchdog looks. */
  askWithinSeconds: 20,
  /** Added to the agent's longest call: the carrier's own hard stop, should we die. */
  carrierTimeLimitExtraSeconds: 60,
  /** An inbound call that has not reached the gateway by now is looked up. */
  inboundMediaSeconds: 20,
  /** A media token outlives the ring time and no more. */
  mediaTokenSeconds: 120,
  /** How often an order that waits for money looks again; a deposit wakes it at once. */
  moneyWaitSeconds: 60,
  /** How soon orders are claimed again that could not be. */
  claimAgainSeconds: 5,
  /** How long a dial waits for a rate deck that cannot be read. */
  deckWaitSeconds: 30,
  /** An order that waits for a call to end is woken by that end; lost or not, it looks again after this. */
  callsWaitSeconds: 600,
  /** So many faults of the carrier in a row pause its account, at first for so long, each time twice as long. */
  carrierFaultsToPause: 3,
  carrierPauseSeconds: 5,
  carrierPauseMaxSeconds: 300,
  /** How long the one dial after a pause may take to prove that the carrier is back. */
  carrierProbeSeconds: 30,
  /** How long the gateway may take to report a call that the carrier ended. */
  gatewayReportGraceSeconds: 5,
  /** Silence of a gateway after which no report of an ended call is waited for; it shows life every 5 seconds. */
  gatewayReportSilenceSeconds: 20,
  /** Silence of a gateway after which its call counts as lost. */
  gatewayLeaseSeconds: 45,
  lookAgainSeconds: 15,
  /** A claimed item is claimed again after this, should its worker have died. */
  leaseSeconds: 60,
} as const;
