/** Runs one client once, and says how each step went. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Cells, cellsOf } from './judge.ts'
import { type Setting, setStage } from './stage.ts'

/** Some clients wait two minutes for a call whose stream has ended. */
const LIMITS_MS = { flow: 90_000, SIGTERM: 150_000, SIGKILL: 150_000 }

export async function runClient(setting: Setting): Promise<Cells> {
  const { stage, nextHub, facts } = await setStage(setting)
  const overtime = new AbortController()
  const limit = LIMITS_MS[setting.run]
  const late = pause(limit, undefined, { signal: overtime.signal }).then(() => {
    throw new Error(`it was not through after ${limit / 1_000} s`)
  })
  let ending: { output: string; error?: string; restartMs?: number }
  try {
    const all = Promise.all([setting.client.run(stage), nextHub.then(() => Date.now())])
    const [output, restartedAt] = await Promise.race([all, late])
    ending = { output, restartMs: Date.now() - restartedAt }
  } catch (error) {
    ending = { output: '', error: error instanceof Error ? error.message : String(error) }
  }
  overtime.abort()
  await late.catch(() => {})
  stage.note(`\n--- results\n${stage.parent.results.map(({ text }) => text).join('\n')}\n`)
  stage.note(`\n--- forms\n${stage.parent.forms.join('\n')}\n--- hub\n${stage.place.stderr}\n`)
  stage.note(`\n--- ending\n${JSON.stringify(ending)}\n`)
  return cellsOf(setting, facts(), ending)
}
