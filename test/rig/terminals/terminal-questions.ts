/** What a hub has of terminals: their questions and sessions. */
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import type { plexusAt } from '../clients/plexus-command.ts'
import type { Hub } from '../hubs/hub.ts'
import { eventually } from '../tools/eventually.ts'

/** The questions that a person sees, once there are so many. */
export async function questions(hub: Hub, count: number): Promise<PendingQuestion[]> {
  return eventually(async () => {
    const asked = await hub.call<PendingQuestion[]>('pending')
    if (asked.length !== count) throw new Error(`There are ${asked.length} questions, not ${count}.`)
    return asked
  })
}

export async function theQuestion(hub: Hub): Promise<PendingQuestion> {
  const [asked] = await questions(hub, 1)
  if (!asked) throw new Error('There is no question.')
  return asked
}

/** The only question, once it is another than this. */
export async function questionAfter(hub: Hub, before: Pick<PendingQuestion, 'id'>): Promise<PendingQuestion> {
  return eventually(async () => {
    const asked = await theQuestion(hub)
    if (asked.id === before.id) throw new Error('It is still the same question.')
    return asked
  })
}

/** The question once it is settled. */
export async function settled(hub: Hub, { id }: Pick<PendingQuestion, 'id'>): Promise<PendingQuestion> {
  return eventually(async () => {
    const asked = await hub.call<PendingQuestion>('getApproval', { approvalId: id })
    if (asked.status === 'pending') throw new Error('The question is still open.')
    return asked
  })
}

export function sessionsOf(hub: Hub): Promise<Session[]> {
  return hub.call<Session[]>('listSessions')
}

/** A question about a command, as `plexus pending` prints it. */
export interface PrintedQuestion {
  readonly id: string
  readonly shortId: string
  readonly input: { readonly command: string }
}

/** What `plexus pending` prints, once it has so many questions. */
export async function pendingAt(
  plexus: ReturnType<typeof plexusAt>,
  count: number,
): Promise<readonly PrintedQuestion[]> {
  return eventually(async () => {
    const { stdout, stderr } = await plexus('pending', '--json')
    if (stdout === '') throw new Error(`plexus pending printed nothing: ${stderr}`)
    const { questions: asked } = JSON.parse(stdout) as { questions: PrintedQuestion[] }
    if (asked.length !== count) throw new Error(`There are ${asked.length} questions, not ${count}.`)
    return asked
  })
}
