// Every time constant of a call in one place.

export const limits = {
  connectMs: 10_000,
  /** Silence after pick-up before the agent opens the call. */
  firstWordsMs: 1_200,
  /** Pause after "Hello?" before the notice; also lets the last word arrive. */
  greetingPauseMs: 350,
  /** A greeting that never pauses is talked over after this. */
  longestGreetingMs: 10_000,
  noticeStallMs: 45_000,
  noticeReplays: 2,
  /** Room for an "okay" between the notice and the first question. */
  breathMs: 600,
  /** Overlapping speech this long halts the agent; words then decide. */
  bargeInMs: 250,
  /** Silence without words after which a halted agent goes on. */
  falseAlarmMs: 1_000,
  longestPauseMs: 4_000,
  /** A backchannel this close to the end of a yes/no question is its answer. */
  answerOverlapMs: 1_000,
  endpointMs: 450,
  /** Digits come with pauses. */
  digitsEndpointMs: 1_200,
  /** How long past the end of speech a final text is awaited. */
  finalWaitMs: 1_500,
  /** Voice activity that outlasts the last words by this much is noise. */
  stuckVoiceMs: 3_000,
  thinkingMs: 10_000,
  /** How much longer than its audio speech may take before its marks count as lost. */
  lostMarksMs: 5_000,
  longestReplyMs: 90_000,
  idleMs: 7_000,
  /** Without any speech this long after the notice, nobody is there. */
  nobodyMs: 8_000,
  greetingWordsOfMachine: 25,
  realPauseMs: 1_500,
  heldStepMs: 60_000,
  holdAheadMs: 15_000,
  softLimitAheadMs: 30_000,
  /** Time that the last goodbye needs before the money or the call ends. */
  goodbyeMs: 8_000,
  optOutTries: 4,
  optOutRetryMs: 500,
  /** Ceiling for a goodbye whose length is not known yet. */
  goodbyeCeilingMs: 15_000,
  drainMs: 2_000,
  hangUpMs: 5_000,
} as const;
