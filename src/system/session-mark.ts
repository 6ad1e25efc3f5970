/** The environment variable that marks every process of a session, so that stopping it finds those that left its group. */
export const SESSION_MARK = 'LOOPBACK_SESSION_ID'
