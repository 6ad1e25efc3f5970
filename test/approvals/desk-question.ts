/** Questions of each kind, their possible answers, and what the child gets. */
import type { Answer } from '../../src/approvals/answer.ts'
import type { ChildAsks } from '../../src/events/approval-fields.ts'
import type { Decision } from '../../src/events/decision.ts'

type Input = Record<string, unknown>

export function askedAbout(kind: ChildAsks, n: number): { toolName: string; input: Input } {
  switch (kind) {
    case 'tool':
      return { toolName: 'Bash', input: { command: `echo ${n}` } }
    case 'plan':
      return { toolName: 'ExitPlanMode', input: { plan: `first ${n}, then more` } }
    case 'question': {
      const options = ['this', 'that'].map((label) => ({ label, description: '' }))
      const question = { question: `Which ${n}?`, header: 'Which', options, multiSelect: false }
      return { toolName: 'AskUserQuestion', input: { questions: [question] } }
    }
    case 'form':
      return { toolName: 'server', input: { message: `fill in ${n}` } }
  }
}

export interface Choice {
  readonly choice: 'allow' | 'deny'
  /** With an edited input, if the kind allows it. */
  readonly edited: boolean
}

export function answerTo(kind: ChildAsks, { choice, edited }: Choice): Answer {
  if (choice === 'deny') return { approve: false }
  if (kind === 'question') return { answers: [edited ? 'something else' : 'that'] }
  if (kind === 'form') return { approve: true, content: { edited } }
  return { approve: true, ...(edited ? { updatedInput: EDITED } : {}) }
}

/** The input that runs, or the form content, after a yes. */
export function allowedBy(
  { kind, input, n }: { kind: ChildAsks; input: Input; n: number },
  { edited }: Choice,
): Input {
  if (kind === 'question')
    return { ...input, answers: { [`Which ${n}?`]: edited ? 'something else' : 'that' } }
  if (kind === 'form') return { edited }
  return edited ? EDITED : input
}

/** A decision as the child receives it: of a form it gets the action and content only. */
export function replyToChild(decision: Decision | undefined): unknown {
  if (decision?.behavior !== 'form') return decision
  const { behavior: _, ...form } = decision
  return form
}

const EDITED = { command: 'echo edited' }
