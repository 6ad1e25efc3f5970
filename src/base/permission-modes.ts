/** `cli` leaves the mode to the CLI and the user's settings; all others are passed to the CLI unchanged. */
export const PERMISSION_MODES = [
  'default',
  'acceptEdits',
  'plan',
  'dontAsk',
  'auto',
  'bypassPermissions',
  'cli',
] as const
