/** The longest wait of one call. Most clients give up after 60 seconds, and would report an error of their own. */
export const MAX_WAIT_SECONDS = 50

/** The largest message or HTTP body. An answer to a Write of a large file contains the whole file. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024

/** How long a child waits for the next hub. */
export const LEASE_SECONDS = 1_800

/** The longest timer of Node, nearly 25 days. A longer timer would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647
