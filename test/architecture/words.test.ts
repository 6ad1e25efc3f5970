import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '../../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))

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

/** Its fields are stored under their names in homes that exist. */
const STORED_NAMES = ['sessions/record/session-cost.ts']

/** `wish` is also the name of a program, in the list of programs that run others. */
const PROGRAM_NAMES = /\btclsh wish guile\b/

/** Every line with an avoided word. */
const found: readonly string[] = files
  .filter((file) => !STORED_NAMES.includes(file))
  .flatMap((file) =>
    readFileSync(join(src, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        AVOIDED.filter(([pattern]) => pattern.test(line.replace(PROGRAM_NAMES, ''))).map(
          ([, instead]) => `src/${file}:${index + 1} ${line.trim()} (say: ${instead})`,
        ),
      ),
  )

test('no comment, name or sentence uses a word that we avoid', () => {
  expect(found).toEqual([])
})
