/** The query of a request for the feed of all sessions, as the route reads it. */
export function feedQuery({
  after,
  questions,
}: {
  readonly after?: number | undefined
  readonly questions?: boolean | undefined
}): string {
  const query = new URLSearchParams()
  if (after !== undefined) query.set('after', String(after))
  if (questions) query.set('questions', '1')
  return query.size === 0 ? '' : `?${query.toString()}`
}
