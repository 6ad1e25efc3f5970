import { randomBytes } from 'node:crypto'
import { AppError } from '../base/errors.ts'
import type { Clock } from '../base/clock.ts'
import { Doorbell } from '../base/doorbell.ts'
import type { Caller } from '../callers/access-rules.ts'
import { callerIdOf, type CallerStore } from '../callers/caller.ts'
import type { DeviceScope } from '../callers/device-scope.ts'
import { hashOfToken } from '../callers/token-hash.ts'
import type { NoticeStore } from '../notices/notice-settings.ts'
import { type Device, deviceOf, freeDeviceName, isActive } from './device.ts'
import { type CodeOrigin, DeviceCodes } from './device-codes.ts'

/** What a device gets for its code: its token, or a number that a person must confirm first. */
export type SignIn =
  | { readonly status: 'signed_in'; readonly token: string; readonly device: Device }
  | { readonly status: 'confirm'; readonly secret: string; readonly number: string }
  | { readonly status: 'waiting' | 'refused' }
  /** The code was only checked. */
  | { readonly status: 'valid'; readonly msLeft: number }

/** Where browsers reach the hub. */
export interface PageAddresses {
  readonly local: () => string
  /** The address through the proxy, which other machines reach. */
  readonly proxied: string | undefined
}

/** A link with a one-time code. */
export interface DeviceLink {
  readonly code: string
  readonly expiresAt: number
  readonly url: string
  /** The same for other machines: only of a code that needs confirmation, and only if a proxy is configured. */
  readonly proxiedUrl?: string
}

/** How far a code is that needs confirmation. */
export interface Pairing {
  readonly status: 'open' | 'claimed' | 'ended'
  readonly number?: string
  readonly label?: string
}

/** What is stored of devices. */
export interface DeviceStores {
  readonly callers: CallerStore
  readonly notices: Pick<NoticeStore, 'remove'>
}

interface Wait {
  readonly seconds: number
  readonly signal?: AbortSignal | undefined
}

/** The devices of a hub: how a browser gets a token, and how a person takes it away. */
export class Devices {
  readonly #callers: CallerStore
  readonly #notices: DeviceStores['notices']
  readonly #clock: Pick<Clock, 'now'>
  readonly #codes: DeviceCodes
  readonly #addresses: PageAddresses
  readonly #waiting = new Set<Doorbell>()
  #onRemoved = () => {}

  constructor({ callers, notices }: DeviceStores, clock: Pick<Clock, 'now'>, addresses: PageAddresses) {
    this.#notices = notices
    this.#addresses = addresses
    this.#callers = callers
    this.#clock = clock
    this.#codes = new DeviceCodes(clock)
  }

  /** Only the person at the hub's machine: a device acts as a person, so no model may make one. */
  invite(caller: Caller, input: { scope: DeviceScope; confirm: boolean }): DeviceLink {
    requirePerson(caller)
    const { code, expiresAt } = this.#codes.issue(input)
    const { local, proxied } = this.#addresses
    // In the fragment, which a browser sends to nobody.
    const link = { code, expiresAt, url: `${local()}/#c=${code}` }
    return proxied === undefined || !input.confirm ? link : { ...link, proxiedUrl: `${proxied}/#c=${code}` }
  }

  /** How far a code is; waits until a device shows it, if `seconds` are given. */
  async pairing(caller: Caller, code: string, wait: Wait): Promise<Pairing> {
    requirePerson(caller)
    if (this.#codes.isOpen(code) && wait.seconds > 0) await this.#change(wait)
    const claim = this.#codes.claimOfCode(code)
    if (claim) return { status: 'claimed', number: claim.number, label: claim.label }
    return { status: this.#codes.isOpen(code) ? 'open' : 'ended' }
  }

  confirm(caller: Caller, code: string, accept: boolean): void {
    requirePerson(caller)
    this.#codes.decide(code, accept)
    this.#ring()
  }

  /** Exchanges a code. */
  async signIn(code: string, label: string, from: CodeOrigin): Promise<SignIn> {
    const invitation = this.#codes.take(code, from)
    if (!invitation.confirm) return this.#enrol(invitation.scope, label)
    const { secret, number } = this.#codes.claim(invitation, label)
    this.#ring()
    return { status: 'confirm', secret, number }
  }

  /** Whether a code could be exchanged, so that a page can say at once that it cannot. */
  checkCode(code: string, from: CodeOrigin): SignIn {
    return { status: 'valid', msLeft: this.#codes.check(code, from) }
  }

  /** Exchanges the secret of a device that waits for a person; waits a while for the decision. */
  async confirmedSignIn(secret: string, seconds: number, signal?: AbortSignal): Promise<SignIn> {
    let claim = this.#codes.takeClaim(secret)
    if (claim.decision === 'open' && seconds > 0) {
      await this.#change({ seconds, signal })
      claim = this.#codes.takeClaim(secret)
    }
    if (claim.decision === 'open') return { status: 'waiting' }
    if (claim.decision === 'refused') return { status: 'refused' }
    return this.#enrol(claim.invitation.scope, claim.label)
  }

  async list(caller: Caller): Promise<Device[]> {
    requireOperator(caller)
    return (await this.#active()).map(deviceOf)
  }

  /** Its token is invalid at once, also in requests that are open. */
  async remove(caller: Caller, name: string): Promise<Device> {
    requireOperator(caller)
    const record = (await this.#active()).find((device) => device.name === name)
    if (!record)
      throw new AppError('not_found', `There is no device ${name}; list the devices to see which there are.`)
    await this.#callers.put({ ...record, revokedAt: this.#clock.now() })
    this.#onRemoved()
    await this.#notices.remove(record.id)
    return deviceOf(record)
  }

  /** Calls the listener when the token of a device is no longer valid. */
  onRemoved(listener: () => void): void {
    this.#onRemoved = listener
  }

  async #enrol(scope: DeviceScope, label: string): Promise<SignIn> {
    const now = this.#clock.now()
    const name = freeDeviceName(
      label,
      (await this.#active()).map((device) => device.name),
    )
    const token = randomBytes(32).toString('base64url')
    const record = {
      id: callerIdOf('device', name),
      kind: 'device',
      name,
      tokenHash: hashOfToken(token),
      scopes: [scope],
      createdAt: now,
      lastSeenAt: now,
    } as const
    // An earlier device of this name may have ended without being removed.
    await this.#notices.remove(record.id)
    await this.#callers.put(record)
    return { status: 'signed_in', token, device: deviceOf(record) }
  }

  #ring(): void {
    for (const doorbell of this.#waiting) doorbell.ring()
  }

  async #change({ seconds, signal }: Wait): Promise<void> {
    const doorbell = new Doorbell()
    this.#waiting.add(doorbell)
    await doorbell.next(seconds * 1_000, signal).catch(() => {})
    this.#waiting.delete(doorbell)
  }

  async #active() {
    const now = this.#clock.now()
    return (await this.#callers.list('device')).filter((record) => isActive(record, now))
  }
}

function requireOperator({ kind }: Caller): void {
  if (kind === 'operator') return
  throw new AppError(
    'forbidden',
    'Only the operator manages devices: use plexus devices at the machine of the hub.',
  )
}

function requirePerson(caller: Caller): void {
  requireOperator(caller)
  if (caller.person) return
  throw new AppError('forbidden', 'A device acts as a person, so only a person may add one, and not a model.')
}
