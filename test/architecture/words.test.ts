import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const filesIn = (folder: string, end: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(end))
    .map((file) => `${folder}/${file}`)
const linesOf = (file: string): string[] => readFileSync(join(root, file), 'utf8').split('\n')

/** Words that docs/GLOSSARY.md says not to use, each with what to say instead. */
const AVOIDED: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(told|tells?|telling)\b/i, 'return, send, report, log or notify'],
  [/[a-z](Told|Tells?|Telling)\b|\b(told|tell)[A-Z]/, 'a name with return, send, report, log or notify'],
  [/\bwish(es|ed)?\b/i, 'options, config or params'],
  [/[a-z]Wish(es)?\b|\bwish[A-Z]/, '...Options'],
  [/\b(come|comes|came|coming) by\b/i, 'find, get or obtain'],
  [/\bdeeds?\b|[a-z]Deed\b/i, 'action, or the event by its name'],
  [/\bunheard\b|\bunheard[A-Z]/i, 'ignored'],
  [/\b(go|goes|going|gone|went) on\b/i, 'continue, resume or run'],
  [/\bhow (things|it) stands?\b/i, 'state or status'],
  [/\b(hear|hears|heard) of\b/i, 'receive, or be notified of'],
]

/** It lists the words. */
const GLOSSARY = 'docs/GLOSSARY.md'

/** `wish` is also the name of a program, in the list of programs that run others; `told` is a key in checkpoints of homes that exist. */
const ALLOWED = /\btclsh wish guile\b|\btold: (number|reported)\b/

/** A line with the title of a test: quoted text, and after it the function or the end of the line. */
const TITLE = /(^ *|\()(['"`]).*\2,( (async )?\(|$)/

/** Every line with an avoided word. */
function withAvoided(files: readonly string[], isChecked: (line: string) => boolean = () => true): string[] {
  return files.flatMap((file) =>
    linesOf(file).flatMap((line, index) =>
      AVOIDED.filter(([pattern]) => isChecked(line) && pattern.test(line.replace(ALLOWED, ''))).map(
        ([, instead]) => `${file}:${index + 1} ${line.trim()} (say: ${instead})`,
      ),
    ),
  )
}

test('no comment, name or sentence uses a word that we avoid', () => {
  expect(withAvoided(filesIn('src', '.ts'))).toEqual([])
})

test('no page uses a word that we avoid', () => {
  const pages = filesIn('docs', '.md').filter((file) => file !== GLOSSARY)
  expect(withAvoided([...pages, 'README.md', 'CONTRIBUTING.md', 'test/rig/README.md'])).toEqual([])
})

test('no title of a test uses a word that we avoid', () => {
  expect(withAvoided(filesIn('test', '.ts'), (line) => TITLE.test(line))).toEqual([])
})
