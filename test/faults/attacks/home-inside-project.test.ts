import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Block, say, tools, use } from '../../../src/demo/scenario.ts'
import { type Supervised, supervise } from '../../rig/hubs/supervised.ts'

const SECRET = 'operator-token-of-the-hub'
const bash = (command: string) => use('Bash', { command })

/** Ways to read a file below the working directory that nobody is asked about, but for what we add. */
const reads = (home: string): Block[] => [
  use('Read', { file_path: join(home, 'secret') }),
  bash('cat plexus/secret'),
  bash(`head -c 99 ${join(home, 'secret')}`),
  bash('cd plexus && cat secret'),
  bash('grep -r operator-token .'),
  // The CLI brings an rg of its own; this one also works where it does not.
  bash('rg operator-token'),
  bash('git grep --no-index operator-token'),
  bash('cat p*/secret'),
  bash('cat < plexus/secret'),
  bash('find . -name secret -exec cat {} +'),
]

/** Ways to write that acceptEdits runs unasked, but for what we add. */
const writes = (home: string): Block[] => [
  use('Write', { file_path: join(home, 'answer'), content: 'allow' }),
  use('Edit', { file_path: join(home, 'secret'), old_string: 'operator', new_string: 'child' }),
  bash('cp note.txt plexus/answer'),
  bash('mv note.txt plexus/answer'),
  bash('mv plexus/secret note.txt'),
  bash('mv plexus elsewhere'),
  bash('echo allow > plexus/answer'),
  bash('touch plexus/answer'),
  bash('mkdir plexus/todo'),
  bash('sed -i s/operator/child/ plexus/secret'),
  bash('rm -rf plexus'),
]

/** A session whose folder contains PLEXUS_HOME, and a model that makes one attempt after the other. */
async function attempt(calls: (home: string) => Block[], answer: 'allow' | 'deny'): Promise<Supervised> {
  const session = await supervise({
    home: 'project/plexus',
    options: { permissionMode: 'acceptEdits' },
    answer,
    scenario: (project) => ({
      main: [...calls(join(project, 'plexus')).map((call) => tools(call)), say('done')],
    }),
    async prepare(project) {
      await writeFile(join(project, 'plexus/secret'), SECRET)
      await writeFile(join(project, 'note.txt'), 'a note')
    },
  })
  expect(await session.event('turn.ended')).toMatchObject({ outcome: 'done' })
  expect(session.all('tool.finished')).toHaveLength(calls('').length)
  return session
}

/** Whatever was tried has failed, the folder is as it was, and the model has seen nothing of it. */
async function expectNothingHappened(session: Supervised): Promise<void> {
  expect(session.all('tool.finished').filter(({ isError }) => !isError)).toEqual([])
  const { plexusHome } = session.spec
  expect(await readFile(join(plexusHome, 'secret'), 'utf8')).toBe(SECRET)
  expect(await readdir(plexusHome)).toEqual(['runs', 'secret'])
  expect(await readFile(join(session.project, 'note.txt'), 'utf8')).toBe('a note')
  expect(session.all('tool.unasked')).toEqual([])
  const told = session.model.requests.map(({ body }) => JSON.stringify(body))
  expect(told.filter((request) => request.includes(SECRET))).toEqual([])
}

test('S15: a child whose folder contains PLEXUS_HOME reads nothing there unasked', async () => {
  const session = await attempt(reads, 'deny')
  await expectNothingHappened(session)
  const asked = session.all('approval.opened').map(({ input }) => input['command'])
  expect(asked).toEqual(expect.arrayContaining(['grep -r operator-token .', 'cat p*/secret']))
})

test('S15: a child whose folder contains PLEXUS_HOME cannot write there, whatever is answered', async () => {
  const session = await attempt(writes, 'allow')
  await expectNothingHappened(session)
  expect(session.all('approval.opened')).toEqual([])
})

test('S15: a memory file that imports from PLEXUS_HOME brings nothing of it, in a trusted folder too', async () => {
  const session = await supervise({
    home: 'project/plexus',
    trusted: true,
    options: { permissionMode: 'acceptEdits' },
    answer: 'deny',
    scenario: (project) => ({
      main: [
        tools(
          use('Write', { file_path: join(project, 'sub/CLAUDE.md'), content: 'nested @../plexus/secret' }),
        ),
        tools(use('Write', { file_path: join(project, 'sub/note.txt'), content: 'x' })),
        tools(use('Read', { file_path: join(project, 'sub/note.txt') })),
        say('done'),
      ],
    }),
    async prepare(project) {
      await writeFile(join(project, 'plexus/secret'), SECRET)
      await writeFile(join(project, 'CLAUDE.md'), 'memory-of-the-project @plexus/secret')
    },
  })
  await session.event('turn.ended')
  const told = session.model.requests.map(({ body }) => JSON.stringify(body)).join('\n')
  expect(told).toContain('memory-of-the-project')
  expect(told).not.toContain(SECRET)
})
