import type { ReadStream } from 'node:tty'
import type { CallContext, Engine } from '../../engine/engine.ts'
import { isInForeground } from '../../system/foreground.ts'
import type { Output } from '../output.ts'
import { oneLine } from '../views/session-words.ts'

interface PageLinkParts {
  readonly engine: Pick<Engine, 'inviteDevice'>
  readonly context: CallContext
  readonly out: Pick<Output, 'line'>
}

/** A link that signs one browser in; undefined where no person sits, because a model gets none. */
export async function firstLink({ engine, context }: PageLinkParts): Promise<string | undefined> {
  if (!context.caller.person) return undefined
  return (await engine.inviteDevice(context, { scope: 'operate' })).url
}

/**
 * Prints a new link for each line that the person enters. Whole lines, so that the keys of the terminal (Ctrl-C, Ctrl-Z) and
 * the terminal itself stay as they are, however the hub ends. Returns what ends it.
 */
export function linkPerLine({ engine, context, out }: PageLinkParts, terminal: ReadStream): () => void {
  const print = async () => {
    try {
      out.line((await engine.inviteDevice(context, { scope: 'operate' })).url)
    } catch (error) {
      out.line(oneLine(error instanceof Error ? error.message : String(error)))
    }
  }
  const onData = (data: Buffer) => {
    if (data.includes('\n')) void print()
  }
  // A program in the background that reads its terminal is stopped by the system, and a hub must not be.
  const readInForeground = () => void (isInForeground() ? terminal.resume() : terminal.pause())
  // Reading ends before Ctrl-Z stops us: a line that lies at the terminal when we are continued in the background would be read
  // before any listener could prevent it.
  const onStop = () => {
    terminal.pause()
    process.off('SIGTSTP', onStop)
    process.kill(process.pid, 'SIGTSTP')
    // It runs again from here, after `fg` or `bg`, or at once where no shell waits for it to stop.
    process.on('SIGTSTP', onStop)
    readInForeground()
  }
  terminal.on('data', onData).on('error', ignored)
  process.on('SIGTSTP', onStop).on('SIGCONT', readInForeground)
  readInForeground()
  return () => {
    terminal.off('data', onData).off('error', ignored).pause()
    process.off('SIGTSTP', onStop).off('SIGCONT', readInForeground)
  }
}

/** The terminal was closed: a signal reports it too. */
function ignored(): void {}
