/**
 * The text without a change of ours, to the byte, though others have changed it too: `before` became `changed` by us, and that
 * became `now` by others. Undefined where what we wrote does not stand there once, as we wrote it.
 */
export function undoneInPlace(before: string, changed: string, now: string): string | undefined {
  const most = Math.min(before.length, changed.length)
  let start = 0
  while (start < most && before[start] === changed[start]) start += 1
  let tail = 0
  while (tail < most - start && before.at(-1 - tail) === changed.at(-1 - tail)) tail += 1
  const [was, ours] = [before, changed].map((text) => text.slice(start, text.length - tail))
  if (was === undefined || !ours) return undefined
  const [head, rest, ...more] = now.split(ours)
  return head === undefined || rest === undefined || more.length > 0 ? undefined : head + was + rest
}
