import { expect, test } from 'vitest'
import { childWaits } from './waiting.ts'

test('R17: a child that asks by control waits 15 minutes for its answer', async () => {
  expect(await childWaits('control', 15)).toMatchObject([{ status: 'done' }])
})
