import { expect, test } from 'vitest'
import type { Caller } from '../../src/callers/access-rules.ts'
import { formAnswerer } from '../../src/callers/form-answerer.ts'
import { asCallerId } from '../rig/tools/ids.ts'

const operator: Caller = {
  id: asCallerId('operator'),
  kind: 'operator',
  name: 'operator',
  scopes: ['bypass'],
  person: true,
}
const ann: Caller = { id: asCallerId('client ann'), kind: 'client', name: 'ann', scopes: [], person: false }

test('the name of an answer by a form says where it was filled in, and whether a person is known there', () => {
  expect(formAnswerer(operator, 'Code 1.2', true)).toEqual({
    ...operator,
    person: true,
    via: 'form',
    formClient: 'Code 1.2',
    name: 'a person at Code 1.2',
  })
  expect(formAnswerer(operator, 'Code', false)).toMatchObject({
    person: false,
    name: 'form at Code, no person known',
  })
})

test('a client is named beside it, so that its forms are not taken for those of another', () => {
  expect(formAnswerer(ann, 'Code', true)).toMatchObject({ id: 'client ann', name: 'a person at Code (ann)' })
  expect(formAnswerer(ann, 'Code', false).name).toBe('form at Code, no person known (ann)')
})

test('what a client calls itself is one line of 60 characters that can be seen', () => {
  const { formClient } = formAnswerer(operator, `a\nb\n${'é😀'.repeat(60)}`, true)
  expect(formClient).toBe(`a b ${'é😀'.repeat(28)}`)
  expect(formAnswerer(operator, 'a\u202eb', true).formClient).not.toContain('\u202e')
})
