import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseRules } from '../../src/rules/rules-file.ts'
import { effectOn } from './rules-rig.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/RULES.md'), 'utf8')

test('the rules on the page are valid, their examples hold, and they decide as it says', () => {
  const rules = parseRules(/```json\n([^]*?)```/.exec(page)?.[1] ?? '')
  expect(rules.forbid.rules.length + rules.rules.rules.length).toBe(6)
  expect(effectOn('cd src && git status', rules)).toBe('allow')
  expect(effectOn('git push', rules)).toBe('deny')
  expect(effectOn('git push -f', rules)).toBe('forbid')
  expect(effectOn('cat ~/.ssh/id_rsa', rules)).toBe('forbid')
  expect(effectOn('git commit -m x', rules)).toBe('ask')
})
