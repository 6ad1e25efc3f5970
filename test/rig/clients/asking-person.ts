/** Forms that are put to a person who answers when the test does. */
import { OpenForms, type Put } from '../../../src/transports/person/open-forms.ts'
import { resolvable } from './people.ts'
import { aPlace, aQuestion, QuestionEngine } from './question-engine.ts'

function aPerson() {
  const shown: { form: object; signal: AbortSignal; fill: (content: unknown) => void }[] = []
  const put: Put = (form, signal) => {
    const { promise, resolve } = resolvable<unknown>()
    shown.push({ form, signal, fill: resolve })
    return promise
  }
  return { put, shown }
}

/** The forms of one connection to a hub with these questions. */
export function asking(...questions: ReturnType<typeof aQuestion>[]) {
  const hub = new QuestionEngine(...(questions.length > 0 ? questions : [aQuestion()]))
  const forms = new OpenForms(hub.engine)
  const person = aPerson()
  const ask = (asked = aQuestion(), until?: AbortSignal, place = aPlace()) =>
    forms.put(place, asked, person.put, until)
  return { hub, forms, ask, ...person }
}
