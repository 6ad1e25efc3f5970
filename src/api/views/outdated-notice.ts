/** What a status says of a session whose process has less protection than one has today. */
export const OUTDATED =
  'Its process was started by an earlier version of Plexus, with less protection. It ends as soon as it is idle, and the next prompt begins a new one.'
