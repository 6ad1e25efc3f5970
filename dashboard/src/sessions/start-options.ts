import { filledBudget } from './budget-fields.tsx'
import type { Input } from '../hub/hub-client.ts'

/** The start options that the page offers; modes that ask about nothing are for the machine of the hub. */
const modes = [
  ['default', 'default: asks before changes'],
  ['acceptEdits', 'acceptEdits: edits are not asked about'],
  ['plan', 'plan: reads, then shows its plan'],
  ['dontAsk', 'dontAsk: refuses what is not allowed'],
] as const

const supervision = [
  ['asked', 'what the rules of Claude Code ask about'],
  ['writes', 'everything but reading'],
  ['all', 'every call'],
] as const

/** What was filled in; an empty field is not sent. */
function read(form: FormData): { options: Input<'createSession'>['options']; content: string } {
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
  }
  const mode = modes.find(([name]) => name === text('permissionMode'))?.[0] ?? 'default'
  const supervise = supervision.find(([name]) => name === text('supervise'))?.[0] ?? 'asked'
  const [name, model, budget] = [text('name'), text('model'), filledBudget(form)]
  return {
    content: text('content') ?? '',
    options: {
      workingDirectory: text('workingDirectory'),
      permissionMode: mode,
      supervise,
      ...(name === undefined ? {} : { name }),
      ...(model === undefined ? {} : { model }),
      ...(budget === undefined ? {} : { budget }),
      ...(form.get('nested') === null ? {} : { nested: true }),
    },
  }
}

export const StartOptions = { modes, supervision, read }
