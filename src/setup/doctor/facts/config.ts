import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readConfigFile } from '../../../assembly/config-file.ts'
import { AppError } from '../../../base/errors.ts'
import type { ConfigFacts } from '../checks/config.ts'
import type { Place } from './place.ts'

export async function configFacts({ home }: Place): Promise<ConfigFacts> {
  const path = join(home, 'config.json')
  const facts = { path, exists: existsSync(path) }
  try {
    readConfigFile(home)
    return facts
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...facts, problem: error.message }
  }
}
