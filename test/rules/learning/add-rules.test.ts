import { expect, test } from 'vitest'
import { rulesTextIn, textOfRules, withAddedRules } from '../../../src/rules/learning/add-rules.ts'

const rule = (id: string) => ({ id, effect: 'ask' as const, command: ['make'] })
const forbidden = { id: 'f', command: 'dd', because: 'No.' }

test('rules are added after those of the file, and those that it has already are not', () => {
  const before = textOfRules({ v: 1, forbid: [forbidden], rules: [rule('a')] })
  const { fresh, after } = withAddedRules(before, [rule('a'), rule('f'), rule('b')])
  expect(fresh.map(({ id }) => id)).toEqual(['b'])
  expect(rulesTextIn(after)).toEqual({ v: 1, forbid: [forbidden], rules: [rule('a'), rule('b')] })
  expect(after.endsWith('}\n')).toBe(true)
})

test('without a file a new one is written', () => {
  const { fresh, after } = withAddedRules(undefined, [rule('a')])
  expect(fresh).toEqual([rule('a')])
  expect(JSON.parse(after)).toEqual({ v: 1, forbid: [], rules: [rule('a')] })
  expect(withAddedRules('{"v":1}', []).fresh).toEqual([])
})

test('a file that is not right is not changed, and no file is written that is not', () => {
  expect(() => withAddedRules('{"v":2}', [])).toThrow('v must be 1')
  expect(() => rulesTextIn('{')).toThrow('it is not JSON')
  expect(() => withAddedRules(undefined, [{ id: 'w', effect: 'allow', tool: ['Bash'] }])).toThrow(
    'without command',
  )
})
