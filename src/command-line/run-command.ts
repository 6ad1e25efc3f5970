import type { Env } from '../assembly/config.ts'
import { AppError } from '../base/errors.ts'
import { agentVariable } from './agent-environment.ts'
import type { ClientConnection } from './client-hub.ts'
import { errorInCommandWords } from './command-words.ts'
import type { Command } from './command.ts'
import { hasReference, withoutReferences } from './listed-reference.ts'
import { colorChoice, type Output, processOutput } from './output.ts'
import { parseCommand } from './parse-command.ts'

/**
 * Runs a command of the table with the arguments of this process, and returns its exit code. Little is imported here: the
 * client of a hub is loaded for a command that uses one.
 */
export async function runCommand(command: Command, given: readonly string[], env: Env): Promise<number> {
  const { args, flags } = parseCommand(command, given)
  // A mistake in a flag is found before anything is done.
  const color = colorChoice(flags.text('color'))
  let made: Output | undefined
  const output = () =>
    (made ??= processOutput({
      color,
      json: flags.isSet('json'),
      noInput: flags.isSet('no-input'),
      env,
    }))
  if (flags.isSet('help')) {
    const { helpOf } = await import('./help.ts')
    const out = output()
    out.line(helpOf(command, out.columns))
    return 0
  }
  const open: ClientConnection[] = []
  const hub = async (use: 'reads' | 'changes') => {
    const { connectToHub } = await import('./client-hub.ts')
    const connection = connectToHub({
      env,
      home: flags.text('home'),
      startsHub: use === 'changes',
      // To open it takes as long as the hub takes to answer.
      whileItAnswers: output,
    })
    open.push(connection)
    return connection
  }
  const namedByList = async () => {
    const [{ listedItem }, { homeOf }] = await listModules()
    const home = homeOf(env, flags.text('home'))
    return withoutReferences(command, args, await hub('reads'), (reference) => listedItem(home, reference))
  }
  try {
    const { run } = await command.load()
    const exitCode = await run({
      args: hasReference(command, args) ? await namedByList() : args,
      flags,
      env,
      get out() {
        return output()
      },
      keepList: async (items) => {
        if (!output().isTerminal || output().isJson) return
        const [{ keepList }, { homeOf }] = await listModules()
        await keepList(homeOf(env, flags.text('home')), items)
      },
      hub,
    })
    return exitCode ?? 0
  } catch (error) {
    const home = () => listModules().then(([, { homeOf }]) => homeOf(env, flags.text('home')))
    const found = await withoutHub(error, home, env)
    throw command.group === 'hub' ? found : explained(errorInCommandWords(found), env)
  } finally {
    for (const connection of open) connection.close()
  }
}

function listModules() {
  return Promise.all([import('./last-list.ts'), import('./client-hub.ts')])
}

/** Only the error for a missing hub needs more than itself, and no other command waits for it. */
async function withoutHub(error: unknown, home: () => Promise<string>, env: Env): Promise<unknown> {
  if (!(error instanceof AppError) || error.code !== 'busy') return error
  return (await import('./missing-hub.ts')).missingHubError(error, home, env)
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
