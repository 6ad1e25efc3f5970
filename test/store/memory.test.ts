import { describe } from 'vitest'
import { openMemoryStore } from '../../src/store/memory/open.ts'
import { storeContract } from '../contracts/store.contract.ts'

describe('the memory store', () => {
  storeContract(openMemoryStore)
})
