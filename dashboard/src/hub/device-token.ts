import type { DeviceScope } from '../../../src/callers/device-scope.ts'
import { keepDevice, type KeptDevice } from './kept-values.ts'

const KEY = 'plexus.device'

/**
 * The token of this browser. It lies in the storage of this tab, or, if the person asked to be remembered, of this origin;
 * never in a cookie, because cookies are not kept apart by port.
 */
export function storedToken(): string | undefined {
  return stored()?.token
}

/** What this device may do. The hub decides; the page only leaves out what would be refused. */
export function storedScope(): DeviceScope {
  return stored()?.scope ?? 'read'
}

export function keepToken(kept: KeptDevice, remembers: boolean): void {
  ;(remembers ? localStorage : sessionStorage).setItem(KEY, JSON.stringify(kept))
  shareWithWorker()
}

export function isRemembered(): boolean {
  return sessionStorage.getItem(KEY) === null && localStorage.getItem(KEY) !== null
}

/** Gives the worker the token with which it denies from a notice; that of a tab alone it never gets. */
export function shareWithWorker(): void {
  const text = localStorage.getItem(KEY)
  keepDevice(text === null ? undefined : JSON.parse(text)).catch(() => {})
}

function stored(): KeptDevice | undefined {
  const text = sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY)
  return text === null ? undefined : JSON.parse(text)
}

export function forgetToken(): void {
  for (const storage of [sessionStorage, localStorage]) storage.removeItem(KEY)
  shareWithWorker()
}

/** The one-time code of the link that opened this page. */
export const linkCode = takeCode()

/** The code is taken out of the address at once: a link must not lie in a history. */
function takeCode(): string | undefined {
  const code = /^#c=([\w-]{10,100})$/.exec(location.hash)?.[1]
  if (code !== undefined) history.replaceState(null, '', location.pathname)
  return code
}
