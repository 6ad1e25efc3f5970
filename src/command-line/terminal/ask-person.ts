/** The person pressed Ctrl-C or Ctrl-D where they were asked: the command ends without a word. */
export class Interrupted extends Error {
  constructor() {
    super('Interrupted.')
    this.name = 'Interrupted'
  }
}

/** A line that the person types. Only where a person can be asked. */
async function askPerson(prompt: string): Promise<string> {
  const { createInterface } = await import('node:readline') // most commands ask nothing
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  return new Promise((resolve, reject) => {
    const onClosed = () => {
      process.stderr.write('\n')
      reject(new Interrupted())
    }
    lines.on('SIGINT', () => lines.close())
    lines.on('close', onClosed)
    lines.question(prompt, (line) => {
      resolve(line)
      // Only ours: by its own listener it stops to echo keys, which would be seen twice at the next question.
      lines.off('close', onClosed)
      lines.close()
    })
  })
}

/** Only a plain yes is one; anything unclear is asked again. */
export async function askYesOrNo(prompt: string): Promise<boolean> {
  for (;;) {
    const line = (await askPerson(`${prompt} [y/n] `)).trim().toLowerCase()
    if (line === 'y' || line === 'yes') return true
    if (line === 'n' || line === 'no') return false
  }
}

/** One of these words, or as much of one as no other begins with; anything else is asked again. */
export async function askChoice<T extends string>(prompt: string, choices: readonly T[]): Promise<T> {
  for (;;) {
    const typed = (await askPerson(`${prompt}? [${choices.join('/')}] `)).trim().toLowerCase()
    const meant = choices.filter((choice) => choice === typed || (typed !== '' && choice.startsWith(typed)))
    const chosen = choices.find((choice) => choice === typed) ?? meant[0]
    if (chosen !== undefined && (meant.length === 1 || chosen === typed)) return chosen
  }
}
