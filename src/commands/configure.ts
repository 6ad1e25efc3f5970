import { z } from 'zod'
import { configure as operation } from '../api/loopback/configure.ts'
import { configFrom, type Env } from '../assembly/config.ts'
import { createRemoteEngine } from '../hub-client/remote-engine.ts'
import { AppError, ERROR_CODES } from '../base/errors.ts'
import { createLog } from '../base/log.ts'
import { hubForMcp } from '../assembly/hub-for-mcp.ts'
import { callerIdOf } from '../callers/caller.ts'

/**
 * Prints what a claude command needs so that its questions are asked here: a line for a shell, or all of it as JSON. It holds a
 * token, so it goes to stdout and nowhere else.
 */
export async function configure(env: Env, flags: Readonly<Record<string, unknown>>): Promise<void> {
  const { name, json, ...rest } = flags
  const config = configFrom(env, rest)
  const hub = hubForMcp({
    config: () => config,
    log: createLog(config.logLevel),
    as: undefined,
    standalone: false,
  })
  const engine = createRemoteEngine(hub)
  try {
    const caller = {
      id: callerIdOf('operator', 'operator'),
      kind: 'operator',
      name: 'operator',
      scopes: ['bypass'],
      person: true,
    } as const
    const context = { engine, call: { caller }, workingDirectory: process.cwd() }
    const result = await operation.call(context, name === undefined ? {} : { name })
    if ('code' in result && 'message' in result)
      throw new AppError(z.enum(ERROR_CODES).catch('internal').parse(result.code), String(result.message))
    const line = json === true || !('command' in result) ? JSON.stringify(result) : String(result.command)
    process.stdout.write(`${line}\n`)
  } finally {
    engine.close()
    await hub.close()
  }
}
