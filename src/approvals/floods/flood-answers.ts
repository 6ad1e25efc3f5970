/** The two answers to the one question that stands for all that is held back. */
export const SHOW = 'show'
export const DENY_ALL = 'deny them all'
