import { parseArgs, type ParseArgsConfig } from 'node:util'
import { AppError } from './base/errors.ts'
import { redact } from './base/log.ts'
import { exitCodeOf } from './transports/error-response.ts'

const USAGE = `plexus serve [--port 4445] [--home DIR] [--json] [--end-children]
                                                   the hub: runs sessions for others (--port 0: any free one); children stay when
                                                   it stops, unless they are to end with it
plexus mcp [--standalone [--end-children]] [--tools claude|plexus|all] [--ask model|person|both] [--as NAME] [--allow-bypass]
           [--home DIR]
                                                   MCP on stdin and stdout; starts a hub when one is needed
plexus configure [--name NAME] [--home DIR] [--json]
                                                   a claude command line whose questions are asked here
plexus demo                                        one supervised turn of Claude Code against a scripted model, no account needed
`

async function main([command, ...args]: readonly string[]): Promise<number> {
  // Before anything is loaded that an older Node cannot read.
  const { node } = process.versions
  const [major = 0, minor = 0] = node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19))
    throw new AppError(
      'invalid_input',
      `Plexus needs Node 20.19 or later, and this is Node ${node}; install a newer one.`,
    )
  if (process.platform === 'win32')
    throw new AppError('invalid_input', 'Plexus does not run on Windows yet. Run it inside WSL.')
  // Each is loaded when it is wanted: who only wants to know what tools there are does not wait for a hub's code.
  switch (command) {
    case 'configure': {
      const { configure } = await import('./commands/configure.ts')
      await configure(process.env, flagsOf(args, CONFIGURE))
      return 0
    }
    case 'demo': {
      const { demo } = await import('./commands/demo.ts')
      await demo(process.env)
      return 0
    }
    case 'mcp': {
      const { mcp } = await import('./commands/mcp.ts')
      return mcp(process.env, flagsOf(args, MCP))
    }
    case 'relay': {
      const { relay } = await import('./commands/relay.ts')
      return relay(process.env, flagsOf(args, RELAY))
    }
    case 'serve': {
      const { serve } = await import('./commands/serve.ts')
      await serve(process.env, flagsOf(args, SERVE))
      return 0
    }
    default:
      process.stderr.write(USAGE)
      return command === undefined || command === '--help' ? 0 : 2
  }
}

const SERVE = {
  port: { type: 'string' },
  home: { type: 'string' },
  json: { type: 'boolean' },
  'exit-when-idle': { type: 'string' },
  'end-children': { type: 'boolean' },
} as const satisfies ParseArgsConfig['options']

const CONFIGURE = {
  name: { type: 'string' },
  home: { type: 'string' },
  json: { type: 'boolean' },
} as const satisfies ParseArgsConfig['options']

const RELAY = {
  home: { type: 'string' },
  nested: { type: 'boolean' },
} as const satisfies ParseArgsConfig['options']

const MCP = {
  standalone: { type: 'boolean' },
  tools: { type: 'string' },
  as: { type: 'string' },
  ask: { type: 'string' },
  'allow-bypass': { type: 'boolean' },
  'end-children': { type: 'boolean' },
  home: { type: 'string' },
} as const satisfies ParseArgsConfig['options']

function flagsOf(args: string[], options: NonNullable<ParseArgsConfig['options']>): Record<string, unknown> {
  try {
    return parseArgs({ args, options, allowPositionals: false }).values
  } catch (error) {
    const [sentence] = (error instanceof Error ? error.message : '').split(/\.\s|\n/)
    throw new AppError('invalid_input', `${sentence}; see plexus --help.`, { cause: error })
  }
}

async function run(): Promise<number> {
  try {
    return await main(process.argv.slice(2))
  } catch (error) {
    // A sentence for what we foresaw; for the rest what little we know, and never a stack trace.
    const sentence = error instanceof Error ? error.message : String(error)
    process.stderr.write(redact(`plexus: ${sentence}\n`))
    return exitCodeOf(error)
  }
}

// Not awaited: a CommonJS file cannot.
void run().then((exitCode) => (process.exitCode = exitCode))
