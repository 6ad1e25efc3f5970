import { expect, it } from 'vitest'
import { loggableArgs } from '../../../src/child/launch/loggable-args.ts'

it.each([
  ['--verbose', '--verbose'],
  ['--model=opus', '--model=opus'],
  ['--add-dir=/a=b', '--add-dir=/a=b'],
  ['--name=what a person wrote', '--name=…'],
  ['--settings={"a":"--model=x"}', '--settings=…'],
  ['--a-flag-of-tomorrow=secret', '--a-flag-of-tomorrow=…'],
  ['a prompt', '…'],
  ['a prompt that ends with -', '…'],
  ['--resume=/transcripts/x.jsonl', '--resume=…'],
])('of the argument %j the log has %j', (arg, logged) => {
  expect(loggableArgs(['-p', arg])).toEqual(['-p', logged])
})
