import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { OPERATIONS } from '../../src/api/operations.ts'
import { VERB_INPUTS, type VerbName } from '../../src/engine/verbs.ts'
import { apiPage, fieldsWithoutMeaning } from '../../src/reference/api-page.ts'
import { OPERATION_NOTES } from '../../src/reference/operation-notes.ts'
import { VERB_NOTES } from '../../src/reference/notes/verb-notes.ts'

test('docs/API.md is what the schemas say (npm run api-page)', () => {
  expect(readFileSync(join(import.meta.dirname, '../../docs/API.md'), 'utf8')).toBe(apiPage())
})

test('every field on the page has a meaning', () => {
  expect(fieldsWithoutMeaning()).toEqual([])
})

test('the notes describe no field that a verb does not have', () => {
  const extra = (Object.keys(VERB_NOTES) as VerbName[]).flatMap((name) =>
    Object.keys(VERB_NOTES[name].fields)
      .filter((field) => !Object.hasOwn(VERB_INPUTS[name].shape, field.replace(/(\[\]|\.).*/, '')))
      .map((field) => `${name}: ${field}`),
  )
  expect(extra).toEqual([])
})

test.each(Object.keys(VERB_NOTES) as VerbName[])('the example of %s is valid', (name) => {
  expect(VERB_INPUTS[name].safeParse(VERB_NOTES[name].example).error).toBeUndefined()
})

test('every operation has notes, and there are no others', () => {
  expect(Object.keys(OPERATION_NOTES).toSorted()).toEqual(OPERATIONS.map(({ name }) => name).toSorted())
})

test.each(OPERATIONS)('the example of $name is valid', ({ name, listed }) => {
  expect(listed.safeParse(OPERATION_NOTES[name]?.example).error).toBeUndefined()
})
