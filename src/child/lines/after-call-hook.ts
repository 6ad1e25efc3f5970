/** By these ids the CLI calls our hook behind a call. */
export const AFTER_CALL = { ran: 'plexus-ran', failed: 'plexus-failed' } as const
