/** The ids by which the CLI calls our hook after a tool call. */
export const AFTER_CALL = { ran: 'plexus-ran', failed: 'plexus-failed' } as const
