import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigFile, Flags, Variables } from '../../src/assembly/config.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/CONFIGURATION.md'), 'utf8')

/** Names with their defaults, from the table below a heading. */
function settingsBelow(heading: string): Record<string, string> {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  const rows = [...own.matchAll(/^\| `(?:--)?([\w-]+)` \| (.+?) \| .+ \|$/gm)]
  return Object.fromEntries(rows.map(([, name = '', value = '']) => [name, value]))
}

test.each([
  ['Environment', Variables, { PLEXUS_HOME: 'none', CLAUDE_CODE_PATH: 'none' }],
  [
    'Flags of `plexus serve`',
    Flags,
    { home: '`PLEXUS_HOME`', port: '`PLEXUS_PORT`', 'exit-when-idle': 'never' },
  ],
  ['`config.json` in the home folder', ConfigFile, { on_question: 'none' }],
] as const)(
  'the page of the configuration has all of %s, with what is when nobody says',
  (heading, schema, unset) => {
    const defaults = Object.entries(schema.parse({})).map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return [name, `\`${text}\``]
    })
    const told = { ...unset, ...Object.fromEntries(defaults) }
    expect(Object.keys(told).toSorted()).toEqual(Object.keys(schema.shape).toSorted())
    expect(settingsBelow(heading)).toEqual(told)
  },
)
