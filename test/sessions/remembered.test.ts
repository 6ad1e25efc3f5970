import { expect, test } from 'vitest'
import { Remembered } from '../../src/sessions/remembered.ts'

const grant = (id: string, subject: string, ...rules: string[]) => ({
  id,
  by: 'ann',
  rule: { toolName: 'Bash', subject, rules },
})
const bash = (command: string) => ({ toolName: 'Bash', input: { command } })

test('a rule that was taken back is minded as long as a process may have it', () => {
  const remembered = new Remembered()
  const touch = grant('1', 'touch a', 'Bash(touch a *)')
  const push = grant('2', 'git push', 'Bash(git push *)')
  remembered.grants = [touch, push]
  expect(remembered.grantOf(bash('touch a'))).toBe(touch)
  expect(remembered.begin()).toEqual(['Bash(touch a *)', 'Bash(git push *)'])
  expect(remembered.isTakenBack(bash('touch a b'))).toBe(false)
  remembered.grants = [push]
  expect(remembered.grantOf(bash('touch a'))).toBeUndefined()
  expect(remembered.isTakenBack(bash('touch a b'))).toBe(true)
  expect(remembered.isTakenBack(bash('ls'))).toBe(false)
  expect(remembered.isTakenBack(bash('git push'))).toBe(false)
  remembered.grants = [push, touch]
  expect(remembered.isTakenBack(bash('touch a b'))).toBe(false)
  remembered.grants = []
  expect(remembered.begin()).toEqual([])
  expect(remembered.isTakenBack(bash('touch a b'))).toBe(false)
})
