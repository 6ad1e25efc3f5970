/** Reads what clients send to a model; each of them fills it in a little differently. */
export type Body = Record<string, unknown>

export const listOf = (value: unknown): Body[] => (Array.isArray(value) ? value.filter(isBody) : [])

const isBody = (value: unknown): value is Body => typeof value === 'object' && value !== null

export const bodyOf = (value: unknown): Body => (isBody(value) ? value : {})

/** A text, or the texts of its parts. */
export const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : listOf(content)
        .map(({ text }) => (typeof text === 'string' ? text : ''))
        .join('\n')

let made = 0
export const newId = (prefix: string): string => `${prefix}_scripted${++made}`
