/** The sessions of a caller, and each of them, as MCP names what can be read. */
export const SESSIONS_URI = 'plexus://sessions'
export const SESSION_TEMPLATE = `${SESSIONS_URI}/{id}`
export const PAGE_TEMPLATE = `${SESSION_TEMPLATE}{?after,from}`

/** Where a page begins: behind the event with this seq, and behind so many characters of the next one. */
export interface PageStart {
  readonly after: number
  readonly from: number
}

export function uriOf({ id }: { readonly id: string }): string {
  return `${SESSIONS_URI}/${id}`
}

/** Every URI that names a session: one may be told of it by each. */
export function urisOf(session: { readonly id: string; readonly name?: string | undefined }): string[] {
  const { name } = session
  return [uriOf(session), ...(name === undefined ? [] : [`${SESSIONS_URI}/${name}`])]
}

/** The session that a URI names, or undefined for one that names none. */
export function sessionIdIn(uri: string): string | undefined {
  return /^plexus:\/\/sessions\/([\w-]{1,100})$/.exec(uri)?.[1]
}

export function pageUriOf(session: { readonly id: string }, { after, from }: PageStart): string {
  return `${uriOf(session)}?after=${after}${from === 0 ? '' : `&from=${from}`}`
}

/** The page of a session that a URI names. */
export function pageIn(uri: string): { sessionUri: string; start: PageStart } | undefined {
  const [, sessionUri, after = '', from = '0'] =
    /^([^?]+)\?after=(\d{1,15})(?:&from=(\d{1,15}))?$/.exec(uri) ?? []
  return sessionUri === undefined
    ? undefined
    : { sessionUri, start: { after: Number(after), from: Number(from) } }
}
