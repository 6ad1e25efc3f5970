import { describe } from 'vitest'
import { engineContract } from '../contracts/engine.contract.ts'

describe('the engine here, on memory', () => {
  engineContract('here on memory')
})
describe('the engine here, on SQLite', () => {
  engineContract('here on sqlite')
})
