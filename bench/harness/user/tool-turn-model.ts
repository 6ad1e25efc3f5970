/**
 * The model in a process of its own, as a real one is: in the process of the hub it would have to wait for the hub's work,
 * and only in one of the two that are compared. Each turn is so many calls of a tool, one after the other, and then an end.
 */
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { startScriptedModel } from '../../../src/demo/scripted-model.ts'

/** More than any figure takes. */
const TURNS = 1_000
const [calls, delayMs] = process.argv.slice(2).map(Number) as [number, number]
const call = tools(use('Bash', { command: 'touch touched', description: 'Touches a file' }))
const turn = [...Array.from({ length: calls }, () => call), say('done')].map((reply) => ({
  ...reply,
  delayMs,
}))
const model = await startScriptedModel({ main: Array.from({ length: TURNS }, () => turn).flat() })
process.send?.(model.url)
process.once('disconnect', () => void model.close())
