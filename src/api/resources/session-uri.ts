/** The sessions of a caller, and each of them, as MCP names what can be read. */
export const SESSIONS_URI = 'plexus://sessions'
export const SESSION_TEMPLATE = `${SESSIONS_URI}/{id}`

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
