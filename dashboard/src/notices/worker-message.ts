import type { NoticeMessage } from '../../../src/notices/notice.ts'

/** What a page sends to its service worker: the messages that a push has too, and what only a page knows. */
export type WorkerMessage =
  | NoticeMessage
  /** All questions that are open; notices of others are withdrawn. */
  | { readonly type: 'open questions'; readonly tags: readonly string[] }
  /** The person sees the page now. */
  | { readonly type: 'seen' }
