import { join } from 'node:path'
import type { Store } from '../src/sessions/record/store.ts'
import { inPairs, type Figure } from './harness/figure.ts'
import { filledStore, inFolder, SESSION } from './harness/filled-store.ts'

const READS = 50

export const figure: Figure = {
  id: 'P7',
  title: '50 pages of 100 events anywhere among 1,000,000',
  reference: 'the same among 1,000',
  unit: 'ms',
  goal: { max: 1.2 },
  run: () =>
    inFolder(async (folder) => {
      const many = await filledStore(join(folder, 'many.db'), 1_000_000)
      const few = await filledStore(join(folder, 'few.db'), 1000)
      const samples = await inPairs(60, pagesOf(many, 1_000_000), pagesOf(few, 1000))
      await Promise.all([many.close(), few.close()])
      return samples
    }),
}

function pagesOf(store: Store, events: number): () => Promise<void> {
  return async () => {
    for (let read = 0; read < READS; read++) {
      const page = await store.events.read(SESSION, Math.floor(Math.random() * (events - 100)), 100)
      if (page.length !== 100) throw new Error(`A page has ${page.length} events.`)
    }
  }
}
