/**
 * The model of P2 in a process of its own, as a real one is: in the process of the hub it would have to wait for the hub's work,
 * and only in one of the two that are compared.
 */
import { say, tools, use } from '../../src/demo/scenario.ts'
import { startScriptedModel } from '../../src/demo/scripted-model.ts'

const call = tools(use('Bash', { command: 'touch touched', description: 'Touches a file' }))
const model = await startScriptedModel({
  main: ({ toolResults }) => ({ ...(toolResults.length > 0 ? say('done') : call), delayMs: 150 }),
})
process.send?.(model.url)
process.once('disconnect', () => void model.close())
