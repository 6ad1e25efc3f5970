import { LOOPBACK_NAMES } from '../../system/loopback-names.ts'
/**
 * The head of a request, checked before its body is read. A web page in the person's browser can reach 127.0.0.1 too, under
 * its own host name (DNS rebinding) or from another origin; both are rejected.
 */
export interface RequestHead {
  readonly hosts: readonly string[]
  readonly origins: readonly string[]
  readonly fetchSite: string | undefined
  readonly target: string
  /** The port of the request; undefined on the unix socket, which no browser can reach. */
  readonly port: number | undefined
}

/**
 * Whether the request came through the proxy that a person has put in front of the hub. The name in `Host` decides: a stranger
 * who sends it gains nothing, because a request under it is allowed less.
 */
export function isThroughProxy({ hosts, port }: RequestHead, proxyHost: string | undefined): boolean {
  return port !== undefined && proxyHost !== undefined && hosts[0]?.toLowerCase() === proxyHost.toLowerCase()
}

/** Why the request is rejected, as a sentence; undefined if it is accepted. */
export function rejectionReason(head: RequestHead, proxyHost?: string): string | undefined {
  const { hosts, origins, fetchSite, target, port } = head
  const isProxied = isThroughProxy(head, proxyHost)
  if (!target.startsWith('/')) return 'The hub is not a proxy; send a path that begins with /.'
  if (port !== undefined) {
    const [host = ''] = hosts
    const isOwn = isProxied || LOOPBACK_NAMES.some((name) => `${name}:${port}` === host.toLowerCase())
    if (hosts.length !== 1 || !isOwn)
      return 'The hub does not have this host name; use 127.0.0.1 or localhost with its port.'
  }
  const own = isProxied
    ? [`https://${proxyHost?.toLowerCase()}`]
    : LOOPBACK_NAMES.map((name) => `http://${name}:${port}`)
  if (origins.some((origin) => port === undefined || !own.includes(origin.toLowerCase())))
    return 'The hub does not answer to pages of other origins.'
  if (fetchSite !== undefined && !['same-origin', 'none'].includes(fetchSite))
    return 'The hub does not answer to pages of other origins.'
  return undefined
}

/** The token of `Authorization: Bearer TOKEN`. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer ([\w.~+/=-]{1,200})$/i.exec(authorization ?? '')?.[1]
}

/** The error for a request without a valid token. */
export function unauthorized(authorization: string | null | undefined): { code: string; message: string } {
  const message =
    authorization === undefined || authorization === null
      ? 'A token is needed: Authorization: Bearer TOKEN.'
      : 'This token is unknown or no longer valid: send Authorization: Bearer TOKEN with the token from operator.token in the home folder of the hub.'
  return { code: 'forbidden', message }
}

/** Exactly application/json, also with charset utf-8. A form of a web page cannot send this content type. */
export function isJson(contentType: string | undefined): boolean {
  return /^application\/json(\s*;\s*charset=(utf-8|"utf-8"))?\s*$/i.test(contentType ?? '')
}

/** No legitimate request is deeper, and the parser should not meet one that is. */
const MAX_DEPTH = 64
export const TOO_DEEP = `JSON may be nested at most ${MAX_DEPTH} levels deep.`

export function isTooDeep(text: string): boolean {
  return jsonDepth(text) > MAX_DEPTH
}

/** The nesting depth of arrays and objects, found without parsing: too deep a text is never parsed. */
export function jsonDepth(text: string): number {
  let [depth, deepest] = [0, 0]
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
        index = endOfString(text, index)
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
  for (let index = start + 1; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === BACKSLASH) index++
    else if (code === QUOTE) return index
  }
  return text.length
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
