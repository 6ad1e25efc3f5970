/** What the model does in a terminal. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ModelRequest } from '../../../src/demo/model-request.ts'
import { type Message, say, type Scenario, tools, use } from '../../../src/demo/scenario.ts'

/** Runs one command. */
export const run = (command: string): Message => tools(use('Bash', { command, description: 'run it' }))

/** `Make NAME` adds a line to a file, and repeats what the command said; every other prompt is repeated. */
export const MAKES: Scenario = {
  main: ({ lastUserText, toolResults }: ModelRequest): Message => {
    const [, name] = /Make ([\w-]+)/.exec(lastUserText) ?? []
    const [result] = toolResults
    if (result) return say(`It said: ${result.text}`)
    return name === undefined ? say(`Heard: ${lastUserText}`) : run(makes(name))
  },
}

/** The command of `Make NAME`. */
export const makes = (name: string): string => `echo ${name} | tee -a made.txt`

/** What the commands of `Make NAME` have made in this folder: a name stands there as often as its command has run. */
export async function madeIn(project: string): Promise<string[]> {
  const text = await readFile(join(project, 'made.txt'), 'utf8').catch(() => '')
  return text.split('\n').filter(Boolean).toSorted()
}
