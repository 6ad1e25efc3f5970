/** `/clear` around a question: the question ends as it ended for the person, and the new conversation asks its own. */
import { expect, test } from 'vitest'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import type { Hub } from '../../rig/hubs/hub.ts'
import { PROCEED, pressUntil, say, seesDialog } from '../../rig/terminals/terminal-keys.ts'
import { terminalPlace } from '../../rig/terminals/terminal-place.ts'
import { questionAfter, questions, settled, theQuestion } from '../../rig/terminals/terminal-questions.ts'
import { madeIn, MAKES, makes } from '../../rig/terminals/terminal-scripts.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasTerminal } from '../../rig/tools/terminal.ts'

test.runIf(hasTerminal)(
  'a question that is left by Escape and cleared at once is over, denied by nobody, and the next one is answered here',
  { timeout: 90_000 },
  async () => {
    const { place, open } = await terminalPlace(MAKES)
    const hub = await place.start()
    const terminal = await open()
    await say(terminal, 'Make before')
    const before = await theQuestion(hub)
    await seesDialog(terminal, makes('before'))
    await pressUntil(terminal, 'Escape', () => !terminal.visible().includes(PROCEED))
    await say(terminal, '/clear')
    const over = await settled(hub, before)
    expect(over).toMatchObject({ status: 'withdrawn', end: 'answered in the terminal' })
    expect(over.by).toBeUndefined()
    await isOver(hub, before)
    const late = hub.call('answer', { approvalId: before.id, approve: true })
    await expect(late).rejects.toMatchObject({ code: 'already_settled' })

    await say(terminal, 'Make after')
    const after = await theQuestion(hub)
    expect(after.sessionId).not.toBe(before.sessionId)
    await seesDialog(terminal, makes('after'))
    await hub.call('answer', { approvalId: after.id, approve: true })
    await terminal.sees('It said: after')
    expect(await madeIn(place.project)).toEqual(['after'])
    expect(await questions(hub, 0)).toEqual([])
    const ends = await hub.call<PendingQuestion[]>('decisions')
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['allowed', 'withdrawn'])
  },
)

test.runIf(hasTerminal)(
  'while a dialog is open, what is typed is its own: /clear and Enter choose in it, and clear nothing',
  { timeout: 90_000 },
  async () => {
    const { place, open } = await terminalPlace(MAKES)
    const hub = await place.start()
    const terminal = await open()
    await say(terminal, 'Make before')
    const before = await theQuestion(hub)
    await seesDialog(terminal, makes('before'))
    terminal.type('/clear')
    await pressUntil(terminal, 'Enter', () => !terminal.visible().includes(PROCEED))
    expect(await settled(hub, before)).toMatchObject({ status: 'withdrawn', end: 'answered in the terminal' })
    await terminal.sees('It said: before')
    expect(await madeIn(place.project)).toEqual(['before'])

    await say(terminal, 'Make after')
    const after = await questionAfter(hub, before)
    expect(after.sessionId).toBe(before.sessionId)
    await seesDialog(terminal, makes('after'))
    await hub.call('answer', { approvalId: after.id, approve: false, message: 'Not after.' })
    await terminal.sees('It said: Not after.')
  },
)

/** Nothing runs in the terminal any more for the conversation that asked it. */
async function isOver(hub: Hub, { sessionId }: PendingQuestion): Promise<void> {
  await eventually(async () => {
    const session = await hub.call<Session>('getSession', { sessionId })
    expect(session.outside).toBeUndefined()
  })
}
