import { describe } from 'vitest'
import { openMemoryStore } from '../../src/store/memory/open.ts'
import { storeContract } from '../contracts/store.contract.ts'

describe('the memory store', () => {
  // It does not outlive its process, so there is no restart.
  storeContract(openMemoryStore, async (store) => store)
})
