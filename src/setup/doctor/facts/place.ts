import { type Config, configFrom, type Env } from '../../../assembly/config.ts'
import { AppError } from '../../../base/errors.ts'

/** Where the doctor looks. */
export interface Place {
  readonly env: Env
  readonly home: string
  readonly port: number
  readonly platform: NodeJS.Platform
  /** The sentence about a variable that no hub would take. */
  readonly configProblem?: string | undefined
}

/** A wrong variable is a finding and no end of the examination: the others are left out then. */
export function placeOf(env: Env, homeFlag: string | undefined): Place {
  const flags = homeFlag === undefined ? {} : { home: homeFlag }
  const { platform } = process
  try {
    return { ...homeAndPort(configFrom(env, flags)), env, platform }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { HOME, PLEXUS_HOME, XDG_STATE_HOME } = env
    const left = configFrom({ HOME, PLEXUS_HOME, XDG_STATE_HOME }, flags)
    return { ...homeAndPort(left), env, platform, configProblem: error.message }
  }
}

function homeAndPort({ home, port }: Config): { home: string; port: number } {
  return { home, port }
}
