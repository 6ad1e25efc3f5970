/** The URIs of the session list and of each session, as MCP resources. */
export const SESSIONS_URI = 'plexus://sessions'
export const SESSION_TEMPLATE = `${SESSIONS_URI}/{id}`
export const PAGE_TEMPLATE = `${SESSION_TEMPLATE}{?after,from}`

/** Where a page begins: after the event with seq `after`, skipping the first `from` characters of the next event. */
export interface PageStart {
  readonly after: number
  readonly from: number
}

export function uriOf({ id }: { readonly id: string }): string {
  return `${SESSIONS_URI}/${id}`
}

/** Every URI of a session: clients can subscribe to each. */
export function allUrisOf(session: { readonly id: string; readonly name?: string | undefined }): string[] {
  const { name } = session
  return [uriOf(session), ...(name === undefined ? [] : [`${SESSIONS_URI}/${name}`])]
}

/** The id or name of the session in a URI; undefined if the URI is not a session's. */
export function sessionIdIn(uri: string): string | undefined {
  return /^plexus:\/\/sessions\/([\w-]{1,100})$/.exec(uri)?.[1]
}

export function pageUriOf(session: { readonly id: string }, { after, from }: PageStart): string {
  return `${uriOf(session)}?after=${after}${from === 0 ? '' : `&from=${from}`}`
}

/** The session and page in a URI; undefined if the URI is not a page's. */
export function pageIn(uri: string): { sessionUri: string; start: PageStart } | undefined {
  const [, sessionUri, after = '', from = '0'] =
    /^([^?]+)\?after=(\d{1,15})(?:&from=(\d{1,15}))?$/.exec(uri) ?? []
  return sessionUri === undefined
    ? undefined
    : { sessionUri, start: { after: Number(after), from: Number(from) } }
}
