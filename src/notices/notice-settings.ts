import { z } from 'zod'
import type { CallerId } from '../base/ids.ts'
import { NOTICE_REASONS } from './notice.ts'

const MAX_ENDPOINT = 1_000
const base64 = (field: string, max: number) =>
  z
    .string(`${field} must be text.`)
    .regex(/^[\w-]+={0,2}$/, `${field} must be base64url.`)
    .max(max)

/** The subscription of a browser at its push service, with the names that a browser gives to its parts. */
const PushSubscription = z.strictObject({
  endpoint: z.string('push.endpoint must be text.').max(MAX_ENDPOINT, 'push.endpoint is too long.'),
  p256dh: base64('push.p256dh', 100),
  auth: base64('push.auth', 50),
})

export const NoticeChoice = z.strictObject({
  reasons: z
    .array(z.enum(NOTICE_REASONS, `reasons may hold ${NOTICE_REASONS.join(', ')}.`))
    .max(NOTICE_REASONS.length, 'reasons holds each reason once.'),
  push: PushSubscription.optional(),
})
export type NoticeChoice = Readonly<z.infer<typeof NoticeChoice>>

/** What a device is notified of. Without `push`, only while a page of it is open. */
export interface NoticeSettings extends NoticeChoice {
  readonly device: CallerId
}

/** Port. */
export interface NoticeStore {
  get(device: CallerId): Promise<NoticeSettings | undefined>
  /** Replaces those of the device. A subscription belongs to one device: others lose the same endpoint. */
  put(settings: NoticeSettings): Promise<void>
  remove(device: CallerId): Promise<void>
  /** In the order of adding. */
  list(): Promise<NoticeSettings[]>
}
