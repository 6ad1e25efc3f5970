/** The lead over the tabs of one device. The browser gives it to one tab at a time, and to the next when that tab is gone. */
export interface Lead {
  /** Another tab has taken it. */
  readonly lost: AbortSignal
  readonly release: () => void
}

/** Resolves when this tab has the lead; with `steal` it takes it from the tab that has it. */
export function requestLead(name: string, options: LockOptions): Promise<Lead> {
  return new Promise((resolve, reject) => {
    const lost = new AbortController()
    const hold = () => new Promise<void>((release) => resolve({ lost: lost.signal, release }))
    navigator.locks.request(name, options, hold).catch((error: unknown) => {
      lost.abort()
      reject(error)
    })
  })
}

/** The name by which the tabs of one device find each other; nobody finds it without the token. Undefined where tabs cannot. */
export async function groupOf(token: string): Promise<string | undefined> {
  if (!('locks' in navigator) || !('BroadcastChannel' in window)) return undefined
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`plexus tabs ${token}`))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
