/** A key that was pressed. */
export type Key =
  | { readonly text: string }
  | 'enter'
  | 'backspace'
  | 'escape'
  | 'ctrl-c'
  | 'ctrl-z'
  | 'up'
  | 'down'
  | 'page-up'
  | 'page-down'
  | 'left'
  | 'right'
  | 'word-left'
  | 'word-right'
  | 'home'
  | 'end'
  | 'delete'
  | 'ctrl-u'
  | 'ctrl-k'
  | 'ctrl-w'

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
  ['\u001A', 'ctrl-z'],
  ['\u001B[A', 'up'],
  ['\u001B[B', 'down'],
  ['\u001BOA', 'up'],
  ['\u001BOB', 'down'],
  ['\u001B[5~', 'page-up'],
  ['\u001B[6~', 'page-down'],
  ['\u001B[D', 'left'],
  ['\u001BOD', 'left'],
  ['\u0002', 'left'],
  ['\u001B[C', 'right'],
  ['\u001BOC', 'right'],
  ['\u0006', 'right'],
  // With Ctrl, and with Alt.
  ['\u001B[1;5D', 'word-left'],
  ['\u001B[1;3D', 'word-left'],
  ['\u001B[1;5C', 'word-right'],
  ['\u001B[1;3C', 'word-right'],
  ['\u001B[H', 'home'],
  ['\u001BOH', 'home'],
  ['\u001B[1~', 'home'],
  ['\u001B[7~', 'home'],
  ['\u0001', 'home'],
  ['\u001B[F', 'end'],
  ['\u001BOF', 'end'],
  ['\u001B[4~', 'end'],
  ['\u001B[8~', 'end'],
  ['\u0005', 'end'],
  ['\u001B[3~', 'delete'],
  ['\u0004', 'delete'],
  ['\u0015', 'ctrl-u'],
  ['\u000B', 'ctrl-k'],
  ['\u0017', 'ctrl-w'],
])
