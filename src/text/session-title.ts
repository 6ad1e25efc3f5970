/** By what a person recognises a session that has no name. */
export interface Unnamed {
  readonly id: string
  readonly workingDirectory?: string | undefined
}

/** The name of its folder and the beginning of its id: nothing that was said in it. Pure. */
export function folderAndId({ id, workingDirectory = '' }: Unnamed): string {
  const folder = workingDirectory.split('/').findLast(Boolean) ?? ''
  return `${folder.slice(0, MAX_TITLE)} ${id.slice(0, 8)}`.trim()
}

/** The first words of a prompt, cut after a word; undefined if it has none. Pure. */
export function firstWords(content: string | readonly unknown[]): string | undefined {
  const text = typeof content === 'string' ? content : content.map(textOf).join(' ')
  // Long enough for any title, so that a prompt of a megabyte is not read whole.
  const line = text.trimStart().slice(0, MAX_READ).replaceAll(/\s+/g, ' ').trim()
  if (line.length <= MAX_TITLE) return line || undefined
  const cut = line.slice(0, MAX_TITLE + 1)
  const end = cut.lastIndexOf(' ')
  // One word that fills it is cut between two characters, and not inside one.
  const words = end > 0 ? cut.slice(0, end) : cut.slice(0, MAX_TITLE).replace(/[\uD800-\uDBFF]$/, '')
  return `${words.replace(/[,;:]$/, '')} …`
}

/** Pictures and documents have no words. */
function textOf(block: unknown): string {
  const isText = typeof block === 'object' && block !== null && 'text' in block
  return isText && typeof block.text === 'string' ? block.text : ''
}

const MAX_TITLE = 40
const MAX_READ = 400
