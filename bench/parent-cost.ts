import { respond } from '../src/api/claude/respond.ts'
import { start } from '../src/api/claude/start.ts'
import { status } from '../src/api/claude/status.ts'
import type { StatusView } from '../src/api/claude/status-view.ts'
import { type Reply, say, use } from '../src/demo/scenario.ts'
import type { Figure } from './harness/figure.ts'
import { type HubRig, withHub } from './harness/hub-rig.ts'
import { operator } from './harness/talking-hub.ts'

const APPROVALS = 20

/** Half of them commands, half of them files of a page each, with a few words before each. */
const steps: Reply[] = Array.from({ length: APPROVALS }, (_, at) => ({
  blocks: [
    { type: 'text', text: `Step ${at}: ${'I will now do what is needed here. '.repeat(6)}` },
    at % 2 === 0
      ? use('Bash', {
          command: `mkdir -p build/${at} && touch build/${at}/done`,
          description: 'Makes a folder',
        })
      : use('Write', { file_path: `page-${at}.md`, content: 'A line of a page.\n'.repeat(60) }),
  ],
}))

export const figure: Figure = {
  id: 'parent-cost',
  title: 'what a model parent reads of a session with 20 approvals: the results of its calls',
  reference: 'the whole log at every question, as a server without a memory tells it',
  unit: 'KB',
  goal: { oursMax: 40 },
  run: () => withHub({ main: [...steps, say('All is done.')] }, supervised),
}

async function supervised(rig: HubRig): Promise<{ ours: number[]; reference: number[] }> {
  const context = { engine: rig.engine, call: operator }
  let [read, everything] = [0, 0]
  const call = async (operation: typeof start, input: object): Promise<StatusView> => {
    const text = JSON.stringify(await operation.call(context, input))
    read += text.length
    return JSON.parse(text)
  }
  const { sessionId } = await call(start, { prompt: 'go', workingDirectory: rig.project })
  let seen = await call(status, { sessionId, waitSeconds: 50 })
  for (let answered = 0; ; answered++) {
    const { events } = await rig.engine.readEvents(operator, { sessionId, after: 0, limit: 1_000 })
    everything += JSON.stringify(events).length
    if (!seen.pendingQuestion) {
      if (answered !== APPROVALS) throw new Error(`There were ${answered} questions.`)
      return { ours: [read / 1e3], reference: [everything / 1e3] }
    }
    const answer = { sessionId, id: seen.pendingQuestion.id, answers: ['allow'], waitSeconds: 50 }
    seen = await call(respond, answer)
  }
}
