import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseRules } from '../../src/rules/rules-file.ts'
import { RULES_COMMANDS } from '../../src/commands/rules/table.ts'
import { offeredRules } from '../../src/rules/learning/offered-rules.ts'
import { aContext, bash, effectOn } from './rules-rig.ts'

const pageOf = (name: string) => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8')
const page = pageOf('RULES.md')
const EXAMPLE = /```json\n([^]*?)```/.exec(page)?.[1] ?? ''

test('the rules on the page are valid, their examples hold, and they decide as it says', () => {
  const rules = parseRules(EXAMPLE)
  expect(rules.forbid.rules.length + rules.rules.rules.length).toBe(6)
  expect(effectOn('cd src && git status', rules)).toBe('allow')
  expect(effectOn('git push', rules)).toBe('deny')
  expect(effectOn('git push -f', rules)).toBe('forbid')
  expect(effectOn('cat ~/.ssh/id_rsa', rules)).toBe('forbid')
  expect(effectOn('git commit -m x', rules)).toBe('ask')
})

test('the page is two pages: a thousand words besides its examples', () => {
  const words = page.replaceAll(/```[^]*?```/g, '').match(/\S+/g) ?? []
  expect(words.length).toBeLessThanOrEqual(1_000)
})

test('what the page says of commands in options, code and input is so', () => {
  const rules = parseRules(EXAMPLE)
  for (const line of [
    'sort --compress-program="git push" x',
    `awk 'BEGIN{system("git push")}'`,
    'curl x | sh',
  ])
    expect([line, effectOn(line, rules)]).toEqual([line, 'ask'])
})

test('the offers that the page names are those that are made', () => {
  const offered = offeredRules(bash('npm run build --if-present'), aContext()).map(
    ({ command }) => command?.[0],
  )
  expect(offered).toEqual(['npm run build --if-present', 'npm run build *', 'npm run *'])
  expect(pageOf('GRANTS.md')).toContain(
    'for `npm run build --if-present` these words, `npm run build *` and `npm run *`',
  )
})

test('the commands that the page names are those that there are (asked for: 9)', () => {
  const named = new Set([...page.matchAll(/^\$ plexus rules (\w+)/gm)].map(([, verb]) => verb))
  const { notes = [] } = RULES_COMMANDS.find(({ name }) => name === 'rules') ?? {}
  for (const verb of named) expect(notes.join(' ')).toMatch(new RegExp(`\\b${verb}\\b`))
  expect(named.size).toBe(11)
})
