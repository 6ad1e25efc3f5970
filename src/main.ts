import { AppError } from './base/errors.ts'
import { VERSION } from './base/version.ts'
import type { Command } from './command-line/command.ts'
import { findCommand, nearestName } from './command-line/parse-command.ts'
import { runCommand } from './command-line/run-command.ts'
import { endUnwritten } from './command-line/output.ts'
import { COMMANDS } from './commands/table.ts'

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name.startsWith('-') || name === 'help')
    process.stdout.once('error', endUnwritten)
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${VERSION}\n`)
    return 0
  }
  // As with git: plexus help start is plexus start --help.
  const helped = name === 'help' && args[0] !== undefined ? args[0] : undefined
  if (helped !== undefined) return runCommand(commandNamed(helped), ['--help'], process.env)
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return help(name)
  return runCommand(commandNamed(name), args, process.env)
}

function commandNamed(name: string): Command {
  const command = findCommand(COMMANDS, name)
  if (command) return command
  const near = nearestName(COMMANDS, name)
  const meant = near === undefined ? '' : ` Did you mean plexus ${near}?`
  throw new AppError(
    'invalid_input',
    `There is no command ${name}; plexus --help lists the commands.${meant}`,
  )
}

/** Without a terminal it is probably an MCP client that was configured without the word `mcp`. */
async function help(name: string | undefined): Promise<number> {
  if (name === undefined && !process.stdin.isTTY) {
    process.stderr.write(
      'plexus: an MCP client starts it as "plexus mcp"; plexus --help lists the commands.\n',
    )
    return 2
  }
  const { shortHelp } = await import('./command-line/help.ts')
  const columns = process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY
  process.stdout.write(`${shortHelp(COMMANDS, columns)}\n`)
  if (name !== undefined) return 0
  const { whatRuns } = await import('./command-line/hub-face/what-runs.ts')
  const lines = await whatRuns(process.env)
  if (lines.length > 0) process.stdout.write(`\n${lines.join('\n')}\n`)
  return 0
}

async function run(): Promise<number> {
  const given = process.argv.slice(2)
  return main(given).catch(async (error: unknown) => {
    const { printError } = await import('./command-line/command-error.ts')
    // The errors of a hub have always been text, and older programs show them; what stands after the others belongs to a protocol.
    const isText = ['serve', 'mcp', 'relay', 'complete'].includes(given[0] ?? '')
    return printError(error, given.includes('--json') && !isText)
  })
}

// Not awaited: a CommonJS file cannot.
void run().then((exitCode) => (process.exitCode = exitCode))
