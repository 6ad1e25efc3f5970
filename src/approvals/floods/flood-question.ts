import { AppError } from '../../base/errors.ts'
import { DENY_ALL, SHOW } from './flood-answers.ts'

type FloodChoice = 'show' | 'deny'

/** The tool that such a question names: no tool of a child has a name with a space. */
export const FLOOD_TOOL = 'Plexus asks'

const ASKED = 'More questions are held back, because very many came at once. What should happen to them?'

export const FLOOD_INPUT = {
  questions: [
    {
      question: ASKED,
      header: 'Held back',
      multiSelect: false,
      options: [
        { label: SHOW, description: 'They appear one after the other, each to be answered by itself.' },
        { label: DENY_ALL, description: 'Each is denied. The session reads that it asked too often.' },
      ],
    },
  ],
}

/** In words, with how many are held back now. */
export function floodText(held: number): string {
  return held === 1
    ? '1 more question is waiting: show it, or deny it?'
    : `${held} more questions are waiting: show them, or deny them all?`
}

interface GivenAnswer {
  readonly answers?: readonly string[] | undefined
  readonly approve?: boolean | undefined
  readonly dismiss?: true | undefined
}

/** A plain no denies them all; nothing allows them all. */
export function floodChoice({ answers, approve, dismiss }: GivenAnswer): FloodChoice {
  const [choice] = answers ?? []
  if (!dismiss && answers?.length === 1 && approve === undefined) {
    if (choice === SHOW) return 'show'
    if (choice === DENY_ALL) return 'deny'
  }
  if (!dismiss && answers === undefined && approve === false) return 'deny'
  throw new AppError(
    'invalid_input',
    `This stands for questions that are held back: answer ${SHOW}, or ${DENY_ALL}; nothing allows all of them at once.`,
    { data: { options: [SHOW, DENY_ALL] } },
  )
}
