import { demo } from './commands/demo.ts'
import { AppError } from './errors.ts'

const USAGE = `plexus ${'demo'.padEnd(10)} one supervised turn of Claude Code against a scripted model, no account needed`

async function main([command]: readonly string[]): Promise<number> {
  if (process.platform === 'win32')
    throw new AppError('invalid_input', 'Plexus does not run on Windows yet. Run it inside WSL.')
  if (command === 'demo') {
    await demo(process.env)
    return 0
  }
  process.stderr.write(`${USAGE}\n`)
  return command === undefined || command === '--help' ? 0 : 2
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  // A sentence for what we foresaw; for the rest what little we know, and never a stack trace.
  const sentence = error instanceof Error ? error.message : String(error)
  process.stderr.write(`plexus: ${sentence}\n`)
  process.exitCode = 1
}
