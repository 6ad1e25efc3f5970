export const RETRY_MS = 250
/** A hub that has just ended is often restarted by the program that ended it; only after this time does a client start one. */
export const PATIENCE_MS = 3_000
