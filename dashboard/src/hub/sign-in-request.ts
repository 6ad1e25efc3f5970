import type { SignIn } from '../../../src/devices/devices.ts'
import { HubAway, HubError } from './hub-client.ts'

type SignInBody =
  | { readonly code: string; readonly name: string }
  | { readonly code: string; readonly check: true }
  | { readonly secret: string }

/** Exchanges a code, or the secret of a device that waits for its person; or only asks whether a code is valid. */
export async function signIn(body: SignInBody): Promise<SignIn> {
  const response = await fetch('/device', {
    method: 'POST',
    cache: 'no-store',
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new HubAway()
  })
  const reply: SignIn & { error?: { code: string; message: string } } = await response.json()
  if (response.ok) return reply
  throw new HubError(reply.error?.code ?? 'internal', reply.error?.message ?? 'The hub refused the link.')
}

/** What this browser is called in the list of devices; the person can give another name. */
export function deviceLabel(userAgent: string): string {
  const browser = ['Firefox', 'Edg', 'Chrome', 'Safari'].find((name) => userAgent.includes(name)) ?? 'Browser'
  const system =
    ['iPhone', 'iPad', 'Android', 'Mac', 'Windows', 'Linux'].find((name) => userAgent.includes(name)) ?? ''
  return `${browser === 'Edg' ? 'Edge' : browser} ${system}`.trim()
}
