/** Shown for a session whose process was started with less protection than the current version gives. */
export const OUTDATED_NOTICE =
  'Its process was started by an earlier version of Plexus, with less protection. It ends as soon as it is idle, and the next prompt begins a new one.'
