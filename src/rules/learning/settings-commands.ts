import { literalWord } from './word-pattern.ts'

/**
 * What Claude Code writes between the brackets of `Bash(...)`, as patterns of ours. Its star stands for any text, spaces
 * included, and its rule is compared with the text of a command; ours compares words. So a star at the end of an allow rule
 * becomes "any further words", and one in the middle cannot be said. A rule that refuses gets patterns that match at least as
 * much. Pure.
 */
export function commandPatterns(
  inner: string,
  effect: 'allow' | 'deny' | 'ask',
): { readonly command: string[] } | { readonly reason: string } {
  const text = inner.trim().replace(/:\*$/, effect === 'allow' ? ' *' : '*')
  if (/[;&|<>`$(){}\n\\'"]/.test(text)) return { reason: 'is more than the words of one command' }
  const words = text.split(/\s+/)
  return effect === 'allow' ? allowed(words) : refused(words)
}

function allowed(words: readonly string[]): { command: string[] } | { reason: string } {
  const isOpen = words.at(-1) === '*'
  const fixed = isOpen ? words.slice(0, -1) : words
  if (fixed.some((word) => word.includes('*'))) return { reason: 'has a wildcard that is not its last word' }
  if (fixed.length === 0) return { reason: 'names no program' }
  return { command: [[...fixed.map((word) => literalWord(word) ?? ''), ...(isOpen ? ['*'] : [])].join(' ')] }
}

/** A star in a word may reach over the words after it. */
function refused(words: readonly string[]): { command: string[] } {
  const pattern = words.flatMap((word) => {
    if (word === '*') return ['*']
    const said = word.replace(/[|\\]/g, String.raw`\$&`)
    return word.includes('*') ? [said, '*'] : [said]
  })
  const command = pattern.filter((word, index) => word !== '*' || pattern[index - 1] !== '*').join(' ')
  return { command: [command] }
}
