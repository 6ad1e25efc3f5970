/**
 * Appends steps to a store, one after the other, and prints the seq of each once it is stored. Made to be killed.
 *
 *   node appender.mjs DATABASE [STEPS] [DURABLE]      without STEPS it never ends by itself; the first DURABLE are durable
 *
 * Each step has one to four events and puts the seq of its last one into the offset of the run `r1`, so that a step
 * that is stored in part shows.
 */
import { writeSync } from 'node:fs'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { aSession, aStep, RUN, rangeOf } from '../contracts/rows.ts'

const [path = '', steps = 'Infinity', durable = '0'] = process.argv.slice(2)
const store = await openSqliteStore(path)
if (!(await store.sessions.get('s1'))) await store.sessions.create(aSession())
let { last } = await rangeOf(store, 's1')
for (let step = 0; step < Number(steps); step++) {
  const events = 1 + (step % 4)
  const runs = [{ ...RUN, offset: last + events }]
  last = await store.journal.append(aStep(events, { runs }), { durable: step < Number(durable) })
  writeSync(1, `${last}\n`)
}
