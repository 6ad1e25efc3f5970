import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { supervise } from '../../rig/hubs/supervised.ts'

/** What ran unasked once the model had put itself into plan mode. */
const COMMANDS = ['mkdir made', 'rm -rf kept', 'touch touched', 'echo x > note.txt', 'mv note.txt moved.txt']

/** A folder with something to lose, for a user whose own settings open the hole. */
async function prepare(project: string, configFolder: string): Promise<void> {
  await mkdir(join(project, 'kept'))
  await writeFile(join(project, 'note.txt'), 'a note')
  await mkdir(configFolder, { recursive: true })
  await writeFile(join(configFolder, 'settings.json'), JSON.stringify({ useAutoModeDuringPlan: true }))
}

test('S18: a child that enters plan mode by itself is asked as before, also after its plan was denied', async () => {
  const session = await supervise({
    scenario(project) {
      const attempts = [
        ...COMMANDS.map((command) => tools(use('Bash', { command }))),
        tools(use('Write', { file_path: join(project, 'written.txt'), content: 'x' })),
      ]
      const plan = tools(use('ExitPlanMode', { plan: 'All of it.' }))
      return { main: [tools(use('EnterPlanMode', {})), ...attempts, plan, ...attempts, say('done')] }
    },
    answer: 'deny',
    prepare,
  })
  expect(await session.event('turn.ended')).toMatchObject({ outcome: 'done', result: 'done' })
  expect(session.all('mode.changed').map(({ mode }) => mode)).toEqual(['plan'])
  expect(session.all('tool.unasked')).toMatchObject([{ toolName: 'EnterPlanMode' }])
  const asked = session.all('approval.opened').map(({ toolName, input }) => input['command'] ?? toolName)
  expect(asked).toEqual([...COMMANDS, 'Write', 'ExitPlanMode', ...COMMANDS, 'Write'])
  expect((await readdir(session.project)).toSorted()).toEqual(['kept', 'note.txt'])
  expect(await readFile(join(session.project, 'note.txt'), 'utf8')).toBe('a note')
})
