import { z } from 'zod'
import { snake } from '../operation/snake-case.ts'
import { BESIDE, START_SHAPE } from '../operation/start-input.ts'
import { OPTIONS_URI } from '../operation/options-field.ts'

/** All start options in full; the description of `options` has only one line for each. */
export const START_OPTIONS = {
  uri: OPTIONS_URI,
  name: 'start-options',
  title: 'What a session can be started with',
  description: 'Each option of claude_start and claudecode_create, with its schema.',
  mimeType: 'application/json',
}

export function startOptionsText(): string {
  const described = Object.entries(START_SHAPE).map(([name, schema]) => {
    const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' })
    const place = BESIDE.some((one) => one === name) ? 'beside options' : 'in options'
    return [name, { inClaudecodeCreate: snake(name), place, ...json }]
  })
  return JSON.stringify(Object.fromEntries(described), null, 2)
}
