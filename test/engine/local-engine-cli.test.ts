import { describe } from 'vitest'
import { engineContract } from '../contracts/engine.contract.ts'

// On memory it is no other engine: what the two stores must have in common is their own contract.
describe('the engine here, on SQLite', () => {
  engineContract('here on sqlite')
})
