/** A client whose model runs one command by the client's own shell tool: what that command found, and what it was refused. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { say, tools, use } from '../../src/demo/scenario.ts'
import { plexusAt, type Typed } from '../rig/clients/plexus-command.ts'
import { hubPlace } from '../rig/hubs/hub.ts'
import type { Client } from './client.ts'
import { clientPlace } from './client-place.ts'
import type { Plan } from './parent.ts'
import { Parent, serverOf } from './stage.ts'

export interface ShellFacts {
  /** The environment of the command, and that of the client that ran it. */
  readonly env: Record<string, string>
  readonly given: Record<string, string>
  /** What `plexus allow` printed there, its exit code at the end. */
  readonly allow: string
  /** The same command by the person, afterwards: the question was still there to be answered. */
  readonly byPerson: Typed
}

/** A session asks, and wants a person; the client's model runs `plexus allow`. */
export async function runInShell(client: Client): Promise<ShellFacts> {
  const { shell } = client
  if (!shell) throw new Error(`${client.name} has no shell.`)
  const place = await hubPlace({
    scenario: { main: [tools(use('Bash', { command: 'touch it' })), say('Done.')] },
  })
  const hub = await place.start()
  const person = plexusAt(place)
  await person('start', '-d', '--name', 'web', '--person', 'Touch it.')
  await person('wait', 'web')
  const own = await clientPlace(place.folder, `${client.name}-shell`)
  await writeFile(join(own.cwd, 'look.sh'), scriptOf(process.execPath, place.program, place.home))
  const plan: Plan = (results) => (results.length === 0 ? shell.run('sh look.sh') : { say: 'It ran.' })
  const parent = new Parent(plan)
  await client.run({ ...own, place, parent, server: serverOf(place, hub, client), runsCommands: true })
  own.note(`\n--- results\n${parent.results.map(({ text }) => text).join('\n')}\n`)
  const read = (file: string) => readFile(join(own.cwd, file), 'utf8')
  return {
    env: environmentIn(await read('seen.env')),
    given: own.env,
    allow: await read('allow.txt'),
    byPerson: await person('allow', 'web'),
  }
}

const scriptOf = (node: string, program: string, home: string): string =>
  [
    'env -0 > seen.env',
    `'${node}' '${program}' allow web --home '${home}' > allow.txt 2>&1`,
    'echo "exit $?" >> allow.txt',
    '',
  ].join('\n')

const environmentIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\0')
      .filter((entry) => entry.includes('='))
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  )
