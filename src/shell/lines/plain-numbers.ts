import type { ShellWord } from './shell-word.ts'

/**
 * Where a builtin wants a number, zsh takes an expression: it sets variables (`PATH=1`), and runs the substitutions in an index
 * (`psvar[$(command)]`), also if they stand in quotes. So only plain numbers are harmless there.
 */
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/

/** The words of `printf`: with a format that only takes texts any will do. Pure. */
export function printsNumbers(words: readonly ShellWord[]): boolean {
  const [format, ...values] = words[0]?.text === '--' ? words.slice(1) : words
  if (!format || format.pattern) return false
  const isOfTexts = !format.text.replace(OF_TEXTS, '').includes('%')
  return isOfTexts || values.every(({ text }) => NUMBER.test(text))
}

/** The words of `test`: what is compared as a number, or is the number of a file that is open. Pure. */
export function comparesNumbers(words: readonly ShellWord[]): boolean {
  return words.every(({ text }, index) => {
    const before = words[index - 1]?.text ?? ''
    const after = words[index + 1]?.text ?? ''
    const isNumber = before === '-t' || COMPARISON.test(before) || COMPARISON.test(after)
    return !isNumber || NUMBER.test(text)
  })
}

/** Conversions that take a text as it is, with a width that is written out. */
const OF_TEXTS = /%(?:%|[-# 0+]*\d*(?:\.\d*)?[sbcq])/g
const COMPARISON = /^-(?:eq|ne|gt|ge|lt|le)$/
