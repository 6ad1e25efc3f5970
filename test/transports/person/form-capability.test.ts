import { expect, test } from 'vitest'
import { mayPutForms, takesForms } from '../../../src/transports/person/form-capability.ts'
import { FormSwitch } from '../../../src/transports/person/known-person.ts'
import { aPlace, aQuestion, QuestionEngine } from '../../rig/clients/question-engine.ts'

test.each([
  [undefined, false],
  [null, false],
  [true, false],
  [{}, true],
  [{ form: {} }, true],
  [{ url: {} }, false],
  [{ form: {}, url: {} }, true],
])('a client with the elicitation %j takes forms: %s', (elicitation, takes) => {
  expect(takesForms(elicitation)).toBe(takes)
})

const off = () => {
  const forms = new FormSwitch()
  forms.turnOff()
  return forms
}

test.each([
  ['a terminal of Claude Code', 'claude-code', { form: {} }, {}, true],
  ['a connection that is to ask its person', 'other', {}, { ask: 'both', isTerminal: false }, true],
  ['a client without a known person', 'other', {}, {}, false],
  ['a client without forms', 'claude-code', { url: {} }, {}, false],
  ['a client that has declined a form by itself', 'claude-code', {}, { forms: off() }, false],
] as const)('at %s forms may be put: %#', (_, name, elicitation, seat, may) => {
  const known = { isTerminal: true, forms: new FormSwitch(), ...seat }
  expect(mayPutForms({ name, elicitation }, known)).toBe(may)
})

test('a question is not put where forms are off, and no session is read for it', async () => {
  const { engine } = new QuestionEngine()
  const elsewhere = aQuestion({ sessionId: 'unknown' })
  expect(await aPlace({ forms: off() }).takes(engine, elsewhere)).toBe(false)
  await expect(aPlace().takes(engine, elsewhere)).rejects.toMatchObject({ code: 'not_found' })
  expect(await aPlace().takes(engine, aQuestion())).toBe(true)
})
