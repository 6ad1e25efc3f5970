import { setTimeout } from 'node:timers/promises'
import { offlineEnvironment } from '../../../src/demo/offline-environment.ts'
import { startScriptedModel } from '../../../src/demo/scripted-model.ts'
import { withHubProcess } from './hub-process.ts'
import { HubRpc } from './hub-rpc.ts'
import { type Claude, openClaude, TOUCHES } from './terminal-claude.ts'

export interface AnsweredTerminals {
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
export async function withAnsweredTerminals<T>(work: (rig: AnsweredTerminals) => Promise<T>): Promise<T> {
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

/** What a key in the terminal takes until the tool has run: the reference of both. */
export async function keyUntilTool(terminal: Claude): Promise<number> {
  await terminal.dialog()
  const start = performance.now()
  terminal.pressYes()
  await terminal.toolRuns()
  const ms = performance.now() - start
  await terminal.turnEnds()
  return ms
}
