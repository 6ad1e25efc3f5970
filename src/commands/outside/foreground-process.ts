import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { AppError } from '../../base/errors.ts'
import { isInForeground } from '../../system/foreground.ts'

export interface ProgramToRun {
  readonly path: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Called as soon as it runs; the end is not reported before this is over. */
  readonly onStart: (pid: number) => Promise<void>
}

export interface ProgramEnd {
  readonly pid: number
  /** As a shell reports it: 128 and more for a signal. */
  readonly exitCode: number
  /** The signal that ended it, or that interrupted us meanwhile. */
  readonly signal?: NodeJS.Signals | undefined
}

/** Runs a program with our stdin, stdout and stderr, in our process group, so that it has the terminal as we had it. */
export async function runInForeground({ path, args, cwd, env, onStart }: ProgramToRun): Promise<ProgramEnd> {
  const child = spawn(path, [...args], { cwd, env: { ...env }, stdio: 'inherit' })
  let received: NodeJS.Signals | undefined
  // A key of the terminal reaches the whole group, the program too: it must not get the signal twice.
  const onSignal = (signal: NodeJS.Signals) => {
    received = signal
    if (signal === 'SIGTERM' || !isInForeground()) child.kill(signal)
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  try {
    const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
      child.once('close', (code, signal) => resolve({ code, signal }))
      child.once('error', (cause) =>
        reject(new AppError('cli_failed', `${path} could not be started (${cause.message}).`, { cause })),
      )
    })
    const { pid } = child
    const begun = pid === undefined ? undefined : onStart(pid)
    begun?.catch(() => child.kill('SIGTERM'))
    const { code, signal } = await ended
    await begun
    const exitCode = signal === null ? (code ?? 1) : 128 + constants.signals[signal]
    return { pid: pid ?? 0, exitCode, signal: signal ?? received }
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const
