import { expect, test } from 'vitest'
import { childWaits } from './waiting.ts'

test('R17: a child that asks by mcp waits 7 minutes for its answer', async () => {
  expect(await childWaits('mcp', 7)).toMatchObject([{ status: 'done' }])
})
