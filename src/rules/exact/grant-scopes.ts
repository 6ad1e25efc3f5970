/** Where a rule that was remembered with an answer holds, the narrowest first. */
export const SCOPES = ['turn', 'session', 'tree', 'folder', 'always'] as const
export type Scope = (typeof SCOPES)[number]

/** What an answer may say of it. */
export const REMEMBERS = [...SCOPES, 'suggested'] as const
