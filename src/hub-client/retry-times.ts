export const RETRY_MS = 250
/** A hub that has just gone is often about to be started again by whoever ended it; only then somebody else does. */
export const PATIENCE_MS = 3_000
