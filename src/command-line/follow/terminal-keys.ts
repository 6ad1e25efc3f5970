import type { ReadStream } from 'node:tty'
import type { Key } from './follow-state.ts'

/** Reads single keys until it is closed; then the terminal is as it was. */
export function readKeys(terminal: ReadStream, onKey: (key: Key) => void): { close: () => void } {
  const onData = (data: Buffer) => {
    for (const key of keysIn(data.toString('utf8'))) onKey(key)
  }
  const onResume = () => terminal.setRawMode(true)
  terminal.setRawMode(true)
  terminal.on('data', onData).resume()
  process.on('SIGCONT', onResume)
  // Also when this process ends in another way: a terminal that shows no keys is useless.
  const restore = () => terminal.setRawMode(false)
  process.once('exit', restore)
  return {
    close: () => {
      process.off('exit', restore)
      process.off('SIGCONT', onResume)
      terminal.off('data', onData).pause()
      restore()
    },
  }
}

/** The keys in what a terminal sent at once. A sequence that is not a key of ours, such as a function key, is dropped whole. */
export function keysIn(text: string): Key[] {
  const keys: Key[] = []
  // oxlint-disable-next-line no-control-regex -- a terminal sends control characters
  for (const [part] of text.matchAll(/\u001B(?:\[[\d;]*[ -/]*[@-~]|O.)|[\s\S]/gu)) {
    const named = NAMED.get(part)
    if (named !== undefined) keys.push(named)
    else if (part >= ' ' && part !== '\u007F') keys.push({ text: part })
  }
  return keys
}

const NAMED: ReadonlyMap<string, Key> = new Map<string, Key>([
  ['\r', 'enter'],
  ['\n', 'enter'],
  ['\u007F', 'backspace'],
  ['\b', 'backspace'],
  ['\u001B', 'escape'],
  ['\u0003', 'ctrl-c'],
  ['\u001B[A', 'up'],
  ['\u001B[B', 'down'],
])
