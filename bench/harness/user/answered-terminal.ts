import { setTimeout } from 'node:timers/promises'
import { offlineEnvironment } from '../../../src/demo/offline-environment.ts'
import { startScriptedModel } from '../../../src/demo/scripted-model.ts'
import { type Figure, inPairs } from '../figure.ts'
import { withHubProcess } from './hub-process.ts'
import { HubRpc } from './hub-rpc.ts'
import { type Claude, openClaude, TOUCHES } from './terminal-claude.ts'

interface AnsweredTerminals {
  /** Its questions are at the hub too. */
  readonly ours: Claude
  /** Without the relay. */
  readonly bare: Claude
  /** The open question of ours, once the hub has it. */
  readonly question: () => Promise<Question>
}

interface Question {
  readonly allow: () => Promise<void>
  /** Resolves when the hub knows that it is over. */
  readonly isOver: () => Promise<void>
}

/** A hub process, and two real terminals with the CLI, one of which asks that hub. */
async function withAnsweredTerminals<T>(work: (rig: AnsweredTerminals) => Promise<T>): Promise<T> {
  const model = await startScriptedModel(TOUCHES)
  const environmentIn = async (folder: string) => offlineEnvironment('/usr/bin:/bin', folder, model.url)
  try {
    return await withHubProcess(environmentIn, async ({ hub, project }) => {
      const rpc = new HubRpc(hub, { isPerson: true })
      const [ours, bare] = [
        await openClaude(project, model.url, hub.socket),
        await openClaude(project, model.url, undefined),
      ]
      try {
        return await work({ ours, bare, question: () => questionAt(rpc) })
      } finally {
        for (const one of [ours, bare]) one.close()
        rpc.close()
      }
    })
  } finally {
    await model.close()
  }
}

async function questionAt(rpc: HubRpc): Promise<Question> {
  for (;;) {
    const [asked] = await rpc.call<{ id: string }[]>('pending', {})
    if (asked) return questionOf(rpc, asked.id)
    await setTimeout(1)
  }
}

function questionOf(rpc: HubRpc, approvalId: string): Question {
  return {
    allow: async () => void (await rpc.call('answer', { approvalId, approve: true })),
    isOver: async () => {
      while ((await rpc.call<{ status: string }>('getApproval', { approvalId })).status === 'pending')
        await setTimeout(1)
    },
  }
}

/** One figure of a terminal that is answered: from the answer on, what ends the time. */
export function answeredFigure(
  { id, title }: Pick<Figure, 'id' | 'title'>,
  answered: (terminal: Claude, question: Question) => Promise<void>,
): Figure {
  return {
    id,
    title,
    reference: 'a key in a terminal without the relay until the tool has run',
    unit: 'ms',
    goal: { oursMax: 500 },
    run: () =>
      withAnsweredTerminals(({ ours, bare, question }) =>
        inPairs(
          30,
          () =>
            timed(ours, async () => {
              const asked = await question()
              return () => answered(ours, asked)
            }),
          () =>
            timed(bare, async () => async () => {
              bare.pressYes()
              await bare.toolRuns()
            }),
        ),
      ),
  }
}

/** What the answer to one dialog takes; `prepare` is not measured. */
async function timed(terminal: Claude, prepare: () => Promise<() => Promise<void>>): Promise<number> {
  await terminal.dialog()
  const answer = await prepare()
  const start = performance.now()
  await answer()
  const ms = performance.now() - start
  await terminal.turnEnds()
  return ms
}
