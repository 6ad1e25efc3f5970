/**
 * Takes a child over and puts messages for it, of all lengths around what a pipe takes whole, without an end. Made to be killed.
 *
 *   node putter.mjs RUN SESSION
 */
import { adoptChild } from '../../src/child/process/start-child.ts'

const [run = '', session = ''] = process.argv.slice(2)
const child = await adoptChild(run, session)
for (let n = 0; ; n++) await child.put({ n, text: 'x'.repeat((n * 997) % 4_500) })
