import { randomBytes, randomInt } from 'node:crypto'
import { AppError } from '../base/errors.ts'
import type { Clock } from '../base/clock.ts'
import type { DeviceScope } from '../callers/device-scope.ts'

/** What a one-time code is good for. */
interface Invitation {
  readonly code: string
  readonly scope: DeviceScope
  /** A person at the hub's machine must compare a number before the device gets its token. */
  readonly confirm: boolean
  readonly expiresAt: number
}

/** A device that has shown a code that needs confirmation, and waits for it. */
interface Claim {
  /** Known to this device alone; with it the device asks for its token. */
  readonly secret: string
  /** Shown on both sides. */
  readonly number: string
  readonly label: string
  readonly invitation: Invitation
  readonly decision: 'open' | 'accepted' | 'refused'
}

/** Where a code was shown: at the hub's own address, or at that of the proxy in front of it. */
export type CodeOrigin = 'this machine' | 'another machine'

/** A code is for the next minute, and a person needs a moment to compare numbers. */
const CODE_MS = 60_000
const CLAIM_MS = 120_000
const MAX_WRONG = 5
const MAX_OPEN = 20

/**
 * One-time codes, in memory: a hub that ends forgets them. A code is valid for a minute and taken once. After five wrong codes
 * all open ones are void, so that nobody can try many.
 */
export class DeviceCodes {
  readonly #clock: Pick<Clock, 'now'>
  readonly #open = new Map<string, Invitation>()
  readonly #claims = new Map<string, Claim>()
  #wrong = 0

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  issue({ scope, confirm }: Pick<Invitation, 'scope' | 'confirm'>): Invitation {
    this.#forgetOld()
    if (this.#open.size >= MAX_OPEN)
      throw new AppError('busy', 'Too many codes are open; wait a minute, until they end.')
    this.#wrong = 0
    const code = randomBytes(24).toString('base64url')
    const invitation = { code, scope, confirm, expiresAt: this.#clock.now() + CODE_MS }
    this.#open.set(code, invitation)
    return invitation
  }

  /**
   * The invitation of a code, which is then used up. From another machine only a code that needs confirmation is valid: the
   * code of a local link that arrives from there has leaked, and is used up too.
   */
  take(code: string, from: CodeOrigin): Invitation {
    const invitation = this.#valid(code, from)
    this.#open.delete(code)
    return invitation
  }

  /** How long a code is still valid, in ms; it is not used up. A wrong one counts as a try. */
  check(code: string, from: CodeOrigin): number {
    return this.#valid(code, from).expiresAt - this.#clock.now()
  }

  #valid(code: string, from: CodeOrigin): Invitation {
    this.#forgetOld()
    const invitation = this.#open.get(code)
    if (invitation && (from === 'this machine' || invitation.confirm)) return invitation
    this.#open.delete(code)
    if (++this.#wrong >= MAX_WRONG) this.#open.clear()
    throw invalidCode(from)
  }

  claim(invitation: Invitation, label: string): Claim {
    const claim: Claim = {
      secret: randomBytes(24).toString('base64url'),
      number: String(randomInt(1_000_000)).padStart(6, '0'),
      label,
      invitation: { ...invitation, expiresAt: this.#clock.now() + CLAIM_MS },
      decision: 'open',
    }
    this.#claims.set(claim.secret, claim)
    return claim
  }

  /** The claim of the device that showed this code, if one did. */
  claimOfCode(code: string): Claim | undefined {
    this.#forgetOld()
    return [...this.#claims.values()].find(({ invitation }) => invitation.code === code)
  }

  decide(code: string, accept: boolean): Claim {
    const claim = this.claimOfCode(code)
    if (claim?.decision !== 'open') throw invalidCode()
    const decided: Claim = { ...claim, decision: accept ? 'accepted' : 'refused' }
    this.#claims.set(claim.secret, decided)
    return decided
  }

  /** The claim with this secret. A decided claim is used up. */
  takeClaim(secret: string): Claim {
    this.#forgetOld()
    const claim = this.#claims.get(secret)
    if (!claim) throw invalidCode()
    if (claim.decision !== 'open') this.#claims.delete(secret)
    return claim
  }

  isOpen(code: string): boolean {
    this.#forgetOld()
    return this.#open.has(code)
  }

  #forgetOld(): void {
    const now = this.#clock.now()
    for (const [code, { expiresAt }] of this.#open) if (now >= expiresAt) this.#open.delete(code)
    for (const [secret, { invitation }] of this.#claims)
      if (now >= invitation.expiresAt) this.#claims.delete(secret)
  }
}

/** The same for a wrong, a used and an expired code: a stranger learns nothing. */
function invalidCode(from: CodeOrigin = 'this machine'): AppError {
  const next =
    from === 'this machine'
      ? 'Run plexus open for a new one.'
      : 'Run plexus pair at the machine of the hub for a new one; a link of plexus open works only there.'
  return new AppError('forbidden', `This link is not valid any more: it works once, within a minute. ${next}`)
}
