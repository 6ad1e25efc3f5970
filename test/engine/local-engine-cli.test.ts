import { describe } from 'vitest'
import { engineContract } from '../contracts/engine.contract.ts'

// The memory store needs no run of its own: the store contract covers what both stores must do.
describe('the engine here, on SQLite', () => {
  engineContract('here on sqlite')
})
