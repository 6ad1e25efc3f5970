import { spawn } from 'node:child_process'

/**
 * Runs a program of the person on this terminal, such as their editor, and returns its exit code. With `input` that is its stdin.
 * The terminal sends Ctrl-C to both of us: it is meant for the program.
 */
export async function runProgram(
  commandLine: string,
  args: readonly string[],
  env: Env,
  input?: string,
): Promise<number> {
  process.on('SIGINT', ignore)
  try {
    return await new Promise((resolve) => {
      // A shell, because the variable may hold flags: EDITOR="code --wait".
      const program = spawn('sh', ['-c', `${commandLine} "$@"`, 'plexus', ...args], {
        stdio: [input === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit'],
        env: { ...env },
      })
      program.stdin?.on('error', () => {}).end(input) // a pager may end before it has read everything
      program.on('error', () => resolve(NOT_FOUND))
      program.on('exit', (code) => resolve(code ?? 1))
    })
  } finally {
    process.off('SIGINT', ignore)
  }
}

function ignore(): void {}

export type Env = Readonly<Record<string, string | undefined>>

/** As a shell reports a program that does not exist. */
export const NOT_FOUND = 127
