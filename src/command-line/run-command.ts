import type { Env } from '../assembly/config.ts'
import { AppError } from '../base/errors.ts'
import { agentVariable } from './agent-environment.ts'
import type { ClientConnection } from './client-hub.ts'
import type { Command } from './command.ts'
import { type Output, processOutput } from './output.ts'
import { parseCommand } from './parse-command.ts'

/**
 * Runs a command of the table with the arguments of this process, and returns its exit code. Little is imported here: the
 * client of a hub is loaded for a command that uses one.
 */
export async function runCommand(command: Command, given: readonly string[], env: Env): Promise<number> {
  const { args, flags } = parseCommand(command, given)
  let made: Output | undefined
  const output = () =>
    (made ??= processOutput({ color: flags.text('color'), json: flags.isSet('json'), env }))
  if (flags.isSet('help')) {
    const { helpOf } = await import('./help.ts')
    output().line(helpOf(command))
    return 0
  }
  const open: ClientConnection[] = []
  try {
    const { run } = await command.load()
    const exitCode = await run({
      args,
      flags,
      env,
      get out() {
        return output()
      },
      hub: async (use) => {
        const { connectToHub } = await import('./client-hub.ts')
        const connection = connectToHub({ env, home: flags.text('home'), startsHub: use === 'changes' })
        open.push(connection)
        return connection
      },
    })
    return exitCode ?? 0
  } catch (error) {
    throw explained(error, env)
  } finally {
    for (const connection of open) connection.close()
  }
}

/** An agent, and the person who reads over its shoulder, learns why it was refused. */
function explained(error: unknown, env: Env): unknown {
  const variable = agentVariable(env)
  if (!(error instanceof AppError) || error.code !== 'forbidden' || variable === undefined) return error
  return new AppError(
    'forbidden',
    `${error.message} ${variable} is set, so this counts as a call of an agent and not of a person.`,
    { cause: error },
  )
}
