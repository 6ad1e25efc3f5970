import { LOOPBACK_NAMES } from '../../system/loopback-names.ts'
/**
 * Who may speak to the hub at all, before it looks at what they say. A web page in the person's browser reaches 127.0.0.1
 * too, under a name of its own (DNS rebinding) or from another origin; neither is ours.
 */
export interface RequestHead {
  readonly hosts: readonly string[]
  readonly origins: readonly string[]
  readonly fetchSite: string | undefined
  readonly target: string
  /** The port that it came in by; none on the unix socket, which no browser reaches. */
  readonly port: number | undefined
}

/** Why it is not ours, as a sentence; undefined when it may go on. */
export function foreign({ hosts, origins, fetchSite, target, port }: RequestHead): string | undefined {
  if (!target.startsWith('/')) return 'The hub is no proxy.'
  if (port !== undefined) {
    const [host = ''] = hosts
    if (hosts.length !== 1 || !LOOPBACK_NAMES.some((name) => `${name}:${port}` === host.toLowerCase()))
      return 'The hub does not go by this host name.'
  }
  const own = LOOPBACK_NAMES.map((name) => `http://${name}:${port}`)
  if (origins.some((origin) => port === undefined || !own.includes(origin.toLowerCase())))
    return 'The hub does not answer to pages of others.'
  if (fetchSite !== undefined && !['same-origin', 'none'].includes(fetchSite))
    return 'The hub does not answer to pages of others.'
  return undefined
}

/** The token of `Authorization: Bearer TOKEN`. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer ([\w.~+/=-]{1,200})$/i.exec(authorization ?? '')?.[1]
}

/** What is wrong with what somebody showed in place of a token that counts. */
export function unauthorized(authorization: string | null | undefined): { code: string; message: string } {
  const message =
    authorization === undefined || authorization === null
      ? 'A token is needed: Authorization: Bearer TOKEN.'
      : 'This token is not known here, or does not count any more: send Authorization: Bearer TOKEN with the one from operator.token in the home folder of the hub.'
  return { code: 'forbidden', message }
}

/** Exactly that, if need be with the one encoding that JSON has: what a form of a web page can send is something else. */
export function isJson(contentType: string | undefined): boolean {
  return /^application\/json(\s*;\s*charset=(utf-8|"utf-8"))?\s*$/i.test(contentType ?? '')
}

/** Nobody nests deeper, and what parses it should not have to. */
const MAX_DEPTH = 64
export const TOO_DEEP = `JSON may be ${MAX_DEPTH} deep at most.`

export function isTooDeep(text: string): boolean {
  return jsonDepth(text) > MAX_DEPTH
}

/** How deep arrays and objects lie in each other, without parsing them: what is too deep is never parsed. */
export function jsonDepth(text: string): number {
  let [depth, deepest] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at)
        break
      case 0x5b: // [
      case 0x7b: // {
        deepest = Math.max(deepest, ++depth)
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
    }
  }
  return deepest
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at++
    else if (code === QUOTE) return at
  }
  return text.length
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
