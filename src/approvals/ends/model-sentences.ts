/** What the model that asked reads, for each end that comes without words of an answerer. Each says whether it is a no. */

export const DENIED = 'The answer was no.'

/** The answerer declined a form at an MCP client, where no reason can be given. */
export const DECLINED_FORM = 'The person declined.'

export const DECLINED_QUESTION = 'The answerer declined to answer this, and gave no reason.'

/** A person who dismisses a question says nothing: the session must not take our sentence for theirs. */
export const DISMISSED =
  'Plexus says: this question was dismissed, so there is no answer. That is neither a yes nor a no, and the person said nothing else.'

export const TOO_MANY =
  'Too much is asked about at once, so the answer is no; ask again when some is answered.'

export const DENIED_WITH_OTHERS =
  'Too many questions came at once, and a person denied all that waited, this one unseen. Ask for less, in fewer calls.'

export function expiredSentence(limitMs: number): string {
  const seconds = Math.round(limitMs / 1_000)
  return `Nobody answered within ${seconds} seconds, so this was not done. That is no denial: nobody has decided; ask again if it still matters.`
}

export function repeatedSentence(seconds: number): string {
  return `This is a repetition: the very same call was denied ${seconds} seconds ago, so it was denied again and nobody was asked. Do not repeat it; do something else, or say why it is needed.`
}

const OWN: readonly string[] = [DENIED, DECLINED_FORM, DECLINED_QUESTION, DISMISSED]

/** Whether a message is one of the sentences above, which no answerer has said. */
export function isOwnSentence(message: string): boolean {
  return OWN.includes(message)
}

/** Whether an answerer gave a reason: then the model knows what to change, and a new try is no repetition. */
export function isExplained(message: string | undefined): boolean {
  const text = message?.trim() ?? ''
  return text !== '' && text !== DECLINED_FORM
}
