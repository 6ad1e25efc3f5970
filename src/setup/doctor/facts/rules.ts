import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../../base/errors.ts'
import { readRulesFile, rulesPath } from '../../../hub/rules-files.ts'
import type { RulesFacts } from '../checks/rules.ts'
import type { Place } from './place.ts'

export async function rulesFacts({ home }: Place): Promise<RulesFacts> {
  const path = rulesPath(home)
  try {
    const rules = readRulesFile(path)
    if (rules) return { path, count: rules.forbid.rules.length + rules.rules.rules.length }
    return existsSync(join(home, 'rules.last-good.json'))
      ? { path, problem: 'it is gone; write {"v":1} into it if there shall be no rules.' }
      : { path }
  } catch (error) {
    return { path, problem: error instanceof AppError ? error.message : 'it cannot be read.' }
  }
}
