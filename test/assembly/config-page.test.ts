import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigFile } from '../../src/assembly/config-file.ts'
import { FLAGS, VARIABLES } from '../../src/assembly/config.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/CONFIGURATION.md'), 'utf8')

/** Names with their defaults, from the table below a heading. */
function settingsBelow(heading: string): Record<string, string> {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  const rows = [...own.matchAll(/^\| `(?:--)?([\w-]+)` \| (.+?) \| .+ \|$/gm)]
  return Object.fromEntries(rows.map(([, name = '', value = '']) => [name, value]))
}

function defaultsOf(settings: Readonly<Record<string, { readonly byDefault: unknown }>>) {
  return Object.fromEntries(Object.entries(settings).map(([name, { byDefault }]) => [name, byDefault]))
}

test.each([
  ['Environment', defaultsOf(VARIABLES), { PLEXUS_HOME: 'none', CLAUDE_CODE_PATH: 'none' }],
  [
    'Flags of `plexus serve`',
    defaultsOf(FLAGS),
    { home: '`PLEXUS_HOME`', port: '`PLEXUS_PORT`', 'exit-when-idle': 'never' },
  ],
  [
    '`config.json` in the home folder',
    ConfigFile.parse({}),
    { on_question: 'none', anchor_file: 'none', on_checkpoint: 'none', otlp_endpoint: 'none' },
  ],
] as const)(
  'the page of the configuration has all of %s, with what is when nobody says',
  (heading, values: Readonly<Record<string, unknown>>, unset) => {
    const set = Object.entries(values).filter(([, value]) => value !== undefined)
    const defaults = set.map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return [name, `\`${text}\``]
    })
    const told = { ...unset, ...Object.fromEntries(defaults) }
    expect(settingsBelow(heading)).toEqual(told)
  },
)
