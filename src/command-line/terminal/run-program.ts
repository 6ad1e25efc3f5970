import { spawn } from 'node:child_process'

/**
 * Runs a program of the person on this terminal, such as their editor, and returns its exit code. The terminal sends Ctrl-C to
 * both of us: it is meant for the program.
 */
export async function runProgram(commandLine: string, args: readonly string[], env: Env): Promise<number> {
  const ignore = () => {}
  process.on('SIGINT', ignore)
  try {
    return await new Promise((resolve) => {
      // A shell, because the variable may hold flags: EDITOR="code --wait".
      const program = spawn('sh', ['-c', `${commandLine} "$@"`, 'plexus', ...args], {
        stdio: 'inherit',
        env: { ...env },
      })
      program.on('error', () => resolve(NOT_FOUND))
      program.on('exit', (code) => resolve(code ?? 1))
    })
  } finally {
    process.off('SIGINT', ignore)
  }
}

export type Env = Readonly<Record<string, string | undefined>>

/** As a shell reports a program that does not exist. */
export const NOT_FOUND = 127
