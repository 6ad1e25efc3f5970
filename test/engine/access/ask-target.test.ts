import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ASKS } from '../../../src/base/ask-setting.ts'
import { requireAskable, askTarget } from '../../../src/engine/access/ask-target.ts'

const TERMINAL = { hasPerson: true, takesForms: true, formsOff: false }
const PROGRAM = { ...TERMINAL, hasPerson: false }
const FORM_FIRST = { form: true, model: 'after the form' }
const AT_ONCE = { form: false, model: 'at once' }
const PERSON = { form: true, model: 'waits for a person' }
const NOBODY = { form: false, model: 'waits for a person' }

describe('S40: whom a question is put to is decided by rules, not guessed', () => {
  test.each([
    ['at a terminal, by default', {}, TERMINAL, FORM_FIRST],
    ['at a program, by default', {}, PROGRAM, AT_ONCE],
    ['model, at a terminal', { ask: 'model' }, TERMINAL, AT_ONCE],
    ['both, at a terminal', { ask: 'both' }, TERMINAL, FORM_FIRST],
    ['both, at a program', { ask: 'both' }, PROGRAM, AT_ONCE],
    ['person, at a terminal', { ask: 'person' }, TERMINAL, PERSON],
    ['person, at a program', { ask: 'person' }, PROGRAM, NOBODY],
    ['only a person may answer, at a terminal', { answerers: 'person' }, TERMINAL, PERSON],
    ['only a person may answer, at a program', { answerers: 'person' }, PROGRAM, NOBODY],
    ['a program that was configured for both', {}, { ...PROGRAM, ask: 'both' }, FORM_FIRST],
    ['a program that was configured for person', {}, { ...PROGRAM, ask: 'person' }, PERSON],
    ['a terminal that was configured for model', {}, { ...TERMINAL, ask: 'model' }, AT_ONCE],
    ['the session before its connection', { ask: 'model' }, { ...TERMINAL, ask: 'person' }, AT_ONCE],
    [
      'a person for the session, model for its connection',
      { ask: 'person' },
      { ...TERMINAL, ask: 'model' },
      PERSON,
    ],
    ['a terminal that has declined by itself', {}, { ...TERMINAL, formsOff: true }, AT_ONCE],
    ['the same where a person is wanted', { ask: 'person' }, { ...TERMINAL, formsOff: true }, NOBODY],
    ['a terminal without forms', {}, { ...TERMINAL, takesForms: false }, AT_ONCE],
  ] as const)('%s', (_, session, connection, asked) => {
    expect(askTarget(session, connection)).toEqual(asked)
  })

  const ask = fc.option(fc.constantFrom(...ASKS), { nil: undefined })
  const sessions = fc.record({ ask, answerers: fc.constantFrom('anyone' as const, 'person' as const) })
  const connections = fc.record({
    ask,
    hasPerson: fc.boolean(),
    takesForms: fc.boolean(),
    formsOff: fc.boolean(),
  })

  test('the setting of a session brings no person to a client, and every question has somebody to answer it', () => {
    fc.assert(
      fc.property(sessions, connections, (session, connection) => {
        const { form, model } = askTarget(session, connection)
        const known = connection.hasPerson || connection.ask === 'person' || connection.ask === 'both'
        const couldBeRead = known && connection.takesForms && !connection.formsOff
        expect(form && !couldBeRead).toBe(false)
        expect(model === 'after the form' && !form).toBe(false)
        expect(session.answerers === 'person' && model !== 'waits for a person').toBe(false)
      }),
    )
  })
})

test('a model is not asked for what only a person may answer', () => {
  for (const ask of ['model', 'both'] as const)
    expect(() => requireAskable({ ask, answerers: 'person' })).toThrow(
      `ask cannot be ${ask} where answerers is person`,
    )
  for (const ask of [undefined, 'person'] as const) requireAskable({ ask, answerers: 'person' })
  for (const ask of ASKS) requireAskable({ ask, answerers: 'anyone' })
})
