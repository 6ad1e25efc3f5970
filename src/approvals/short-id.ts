import type { Approval } from './approval.ts'

/** The short id of a question, `web.3`: the session's name (or the beginning of its id), and the question's number. */
export function shortIdOf(
  { number }: Pick<Approval, 'number'>,
  session: { readonly id: string; readonly name?: string | undefined },
): string | undefined {
  return number === undefined ? undefined : `${session.name ?? session.id.slice(0, 8)}.${number}`
}

export function partsOfShortId(text: string): { session: string; number: number } | undefined {
  const [, session, number] = SHORT_ID.exec(text) ?? []
  return session === undefined ? undefined : { session, number: Number(number) }
}

const SHORT_ID = /^(.+)\.([1-9]\d{0,8})$/s
