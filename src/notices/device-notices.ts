import { AppError } from '../base/errors.ts'
import type { Caller } from '../callers/access-rules.ts'
import { areUsableKeys } from '../push/encrypt-message.ts'
import { type AddressRules, addressProblem } from '../push/push-address.ts'
import type { NoticeReason } from './notice.ts'
import type { NoticeChoice, NoticeStore } from './notice-settings.ts'

/** What a device is notified of, as it reads it. */
export interface DeviceNoticeSettings {
  readonly reasons: readonly NoticeReason[]
  /** Whether notices are also sent while no page is open. */
  readonly isPushed: boolean
  /** What a browser subscribes with at its push service; base64url. */
  readonly publicKey: string
}

export interface DeviceNoticesParts {
  readonly store: NoticeStore
  /** The public key of this hub; made at the first use. */
  readonly publicKey: () => Promise<string>
  readonly rules: AddressRules
}

/** The settings of notices: each device has its own, and reaches no other's. */
export class DeviceNotices {
  readonly #parts: DeviceNoticesParts

  constructor(parts: DeviceNoticesParts) {
    this.#parts = parts
  }

  async read(caller: Caller): Promise<DeviceNoticeSettings> {
    requireDevice(caller)
    const { reasons = [], push } = (await this.#parts.store.get(caller.id)) ?? {}
    return { reasons, isPushed: push !== undefined, publicKey: await this.#parts.publicKey() }
  }

  async set(caller: Caller, { reasons, push }: NoticeChoice): Promise<DeviceNoticeSettings> {
    requireDevice(caller)
    const { store, rules } = this.#parts
    const problem = push && addressProblem(push.endpoint, rules)
    if (problem !== undefined) throw new AppError('invalid_input', problem)
    if (push && !areUsableKeys(push))
      throw new AppError('invalid_input', 'The keys of the subscription are not valid; subscribe again.')
    const chosen = [...new Set(reasons)]
    if (chosen.length === 0) await store.remove(caller.id)
    else await store.put({ device: caller.id, reasons: chosen, ...(push ? { push } : {}) })
    return this.read(caller)
  }
}

function requireDevice({ kind }: Caller): void {
  if (kind === 'device') return
  throw new AppError(
    'forbidden',
    'Only a device has notices, and only its own; switch them on in the page (plexus open).',
  )
}
