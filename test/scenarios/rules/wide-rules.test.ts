/** What a wide rule seems to allow and does not, tried by the real CLI: options that run or write, and searches above a refused path. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { operator, startSessions } from '../../rig/hubs/sessions.ts'
import { eventually } from '../../rig/tools/eventually.ts'

const RULES = {
  v: 1,
  forbid: [{ id: 'private', path: 'notes/private', because: 'It is private.' }],
  rules: [
    { id: 'wide', effect: 'allow', command: ['sort *', 'git grep *', 'cp *', 'install -d *'] },
    { id: 'looks', effect: 'allow', tool: 'Grep|Glob|Read', path: '.' },
  ],
}
/** Each makes its mark, or shows the secret, where it is allowed. */
const ASKED = [
  'sort -o mark-0 list',
  'git grep -O"touch mark-1 #" word list',
  'git grep --open-files-in-pager="touch mark-2 #" word list',
  'cp -r notes mark-3',
  'grep -r word .',
  'cd notes && grep -rn word',
]
const ALLOWED = ['sort list', 'git grep -n word list', 'install -d made', 'cp list copy']
const bash = (command: string) => tools(use('Bash', { command }))

test('[U6] what only a star of a rule covers, and a search above what is forbidden, is asked about; the rest of the rule holds (asked for: 6)', async () => {
  const sessions = await startSessions({
    store: 'sqlite',
    scenario: {
      main: [...[...ALLOWED, ...ASKED].map(bash), say('done')],
    },
    prepareHome: async (home: string) => {
      await writeFile(join(home, 'rules.json'), JSON.stringify(RULES))
    },
  })
  const { project } = sessions
  await mkdir(join(project, 'notes/private'), { recursive: true })
  await writeFile(join(project, 'notes/private/key'), 'word of the hidden-secret\n')
  await writeFile(join(project, 'list'), 'word\n')
  execFileSync('git', ['init', '-q'], { cwd: project })
  execFileSync('git', ['add', 'list'], { cwd: project })

  const { id } = await sessions.start('go')
  const asked: string[] = []
  await eventually(async () => {
    for (const question of await sessions.engine.pending(operator, { sessionId: id })) {
      const { id: approvalId, input, verdict } = question
      const rule = verdict?.ruleId === 'private' ? ` (${verdict.because})` : ''
      asked.push(`${String(input['command'])}${rule}`)
      await sessions.engine.answer(operator, { approvalId, approve: false, message: 'Not this.' })
    }
    expect(await sessions.engine.getSession(operator, { sessionId: id })).toMatchObject({ status: 'done' })
  })
  const why = ' (The call reaches all that lies in a folder, and what this rule is about lies in it.)'
  expect(asked).toEqual(ASKED.map((line, number) => (number < 3 ? line : `${line}${why}`)))
  expect(ASKED.filter((_, number) => existsSync(join(project, `mark-${number}`)))).toEqual([])
  expect(JSON.stringify(sessions.model.requests)).not.toContain('hidden-secret')
  expect(await readFile(join(project, 'copy'), 'utf8')).toBe('word\n')
  expect(existsSync(join(project, 'made'))).toBe(true)
})
