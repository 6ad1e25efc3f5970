import { createInterface } from 'node:readline'

/** A line that the person types; undefined if they press Ctrl-C or Ctrl-D. Only where a person can be asked. */
export function askPerson(prompt: string): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  return new Promise((resolve) => {
    lines.on('SIGINT', () => lines.close())
    lines.on('close', () => resolve(undefined))
    lines.question(prompt, (line) => {
      resolve(line)
      lines.close()
    })
  })
}

/** Only a plain yes is one; anything unclear is asked again. Undefined for Ctrl-C and Ctrl-D. */
export async function askYesOrNo(prompt: string): Promise<boolean | undefined> {
  for (;;) {
    const line = (await askPerson(`${prompt} [y/n] `))?.trim().toLowerCase()
    if (line === undefined) return undefined
    if (line === 'y' || line === 'yes') return true
    if (line === 'n' || line === 'no') return false
  }
}
