/** What decides whether the questions of a session are put to a person first. */
export interface Asker {
  readonly parentId?: string | undefined
  readonly timeoutMs?: number | undefined
  readonly answerers?: string | undefined
  readonly ask?: string | undefined
}

/** A session that a person started asks its person at once. Others ask a model or a program first, unless they were started otherwise. */
export function asksPerson({ parentId, timeoutMs = 0, answerers, ask = 'model' }: Asker): boolean {
  return answerers === 'person' || ask !== 'model' || (parentId === undefined && timeoutMs === 0)
}
