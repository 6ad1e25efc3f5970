import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/TROUBLESHOOTING.md'), 'utf8')

/** The texts of src, as they are and with `…` for what is filled in, as the page writes it. */
const texts = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(root, 'src', file), 'utf8'))
  .map((text) => `${text}\n${text.replaceAll(/\$\{(?:[^{}`]|`[^`]*`)*\}/g, '…')}`)

const quoted = page.split('\n').flatMap((line) => (line.startsWith('> ') ? [line.slice(2)] : []))

/** Whole, or clause by clause in one file: some sentences are put together there. */
function isSaid(sentence: string): boolean {
  const clauses = sentence
    .split(/…|; |\. /)
    .map((clause) => clause.trim())
    .filter((clause) => clause.length > 2)
  return texts.some((text) => text.includes(sentence) || clauses.every((clause) => text.includes(clause)))
}

test('the page of troubles quotes sentences, each followed by what to do', () => {
  expect(quoted.length).toBeGreaterThan(25)
  const bare = page.split(/^> .*$/m).slice(1)
  expect(bare.filter((answer) => answer.trim().split('\n')[0]?.startsWith('#') ?? true)).toEqual([])
})

test.each(quoted.map((sentence) => [sentence]))('it is still said: %s', (sentence) => {
  expect(isSaid(sentence)).toBe(true)
})
