import { expect, test } from 'vitest'
import { candidates, completionScript } from '../../src/command-line/completion.ts'
import { COMMANDS } from '../../src/commands/table.ts'

const live = {
  session: async () => ['web', 'api'],
  question: async () => ['web.1', 'api.2'],
  client: async () => ['cursor', 'codex'],
}
const complete = (...words: string[]) => candidates(COMMANDS, words, live)

test('a command is completed by its name, but not one that only programs call', async () => {
  expect(await complete('in')).toEqual(['interrupt', 'install'])
  expect(await complete('re')).toEqual(['rename'])
  expect(await complete('')).toContain('start')
})

test('sessions and questions are completed by their live names, flags by those of the command', async () => {
  expect(await complete('show', 'w')).toEqual(['web'])
  expect(await complete('allow', '')).toEqual(['web.1', 'api.2'])
  expect(await complete('approve', 'a')).toEqual(['api.2'])
  expect(await complete('deny', 'web.1', '--m')).toEqual(['--message'])
  expect(await complete('start', 'w')).toEqual([])
  expect(await complete('nothing', 'w')).toEqual([])
  expect(await complete('install', 'co')).toEqual(['codex'])
})

test('there is a script for each shell that is named, and a sentence for any other', () => {
  for (const shell of ['bash', 'zsh', 'fish']) expect(completionScript(shell)).toContain('plexus complete --')
  expect(() => completionScript('tcsh')).toThrow('Say for which shell: plexus completion bash | zsh | fish.')
})
