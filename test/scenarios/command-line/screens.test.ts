/** The screens as text: docs/SCREENS.md shows what a real terminal shows. `npm run screens` writes the page anew. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { UNREAD_MS } from '../../../src/command-line/dialog/dialog.ts'
import { planFileIn } from '../../../src/command-line/tour/tour-model.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'
import { normalised, screensPage, type Shot, withoutSums } from '../../rig/tools/screens-page.ts'
import { hasTerminal, openTerminal, type Terminal } from '../../rig/tools/terminal.ts'

const page = join(import.meta.dirname, '../../../docs/SCREENS.md')
const FILE = `export function greet(name) {
  const text = 'Hello, ' + name
  console.log(text)
}
`
const QUESTIONS = [
  {
    question: 'Which colour should the greeting have?',
    header: 'Colour',
    options: [
      { label: 'green', description: 'as the logo' },
      { label: 'none', description: 'plain text' },
    ],
    multiSelect: false,
  },
  {
    question: 'Which languages?',
    header: 'Languages',
    options: [
      { label: 'English', description: '' },
      { label: 'French', description: '' },
      { label: 'Japanese', description: '' },
    ],
    multiSelect: true,
  },
]
const PLAN = `# Greet in three languages
1. Add a table of greetings to greet.js.
2. Choose by the variable LANG.
3. Test each of them.`

test.skipIf(!hasTerminal)(
  'the screens in docs/SCREENS.md are what a terminal shows',
  async () => {
    let [file, other] = ['', '']
    const edit = () => ({ file_path: file, old_string: "'Hello, ' + name", new_string: '`Hello, ${name}!`' })
    const work = [
      () =>
        tools({ type: 'text', text: 'I will run the tests first.' }, use('Bash', { command: 'npm test' })),
      () => tools(use('Read', { file_path: file })),
      () => tools(use('Edit', edit())),
      () => tools(use('AskUserQuestion', { questions: QUESTIONS })),
    ]
    const better = { old_string: 'Draft', new_string: 'Release notes' }
    const edits = [
      () => tools(use('Read', { file_path: other })),
      () => tools(use('Edit', { file_path: other, ...better })),
    ]
    // 2.1.325 takes the plan from its file alone.
    const plans = [
      (planFile: string) => tools(use('Write', { file_path: planFile, content: PLAN })),
      () => tools(use('ExitPlanMode', { plan: PLAN })),
    ]
    const turns = new Map<string, number>()
    const place = await hubPlace({
      scenario: {
        main: (request) => {
          const { sessionId = '' } = request
          const turn = turns.get(sessionId) ?? 0
          turns.set(sessionId, turn + 1)
          const text = JSON.stringify(request)
          const named = text.includes('Plan the languages') ? plans : edits
          const replies = text.includes('Make the greeting') ? work : named
          return replies[turn]?.(planFileIn(text)) ?? say('I am done.')
        },
      },
    })
    file = join(place.project, 'greet.js')
    other = join(place.project, 'notes.md')
    await writeFile(other, '# Draft\n\nNothing has changed yet.\n')
    await writeFile(file, FILE)
    const plexus = plexusAt(place)
    const shots: Shot[] = []
    const open = (columns: number, ...args: readonly string[]) =>
      openTerminal([process.execPath, place.program, ...args], {
        env: { ...place.env, PLEXUS_HOME: place.home, LANG: 'C.UTF-8' },
        cwd: place.project,
        columns,
      })
    const take = async (title: string, terminal: Terminal, text: string) => {
      await terminal.sees(text)
      shots.push({ title, text: normalised(terminal.visible()) })
      await setTimeout(UNREAD_MS + 100) // a person reads first
    }
    const web = await open(80, 'start', '--name', 'web', 'Make the greeting nicer')
    await take('A command', web, '[a] allow once')
    web.press('s')
    await take('Allowed for the session: what would be remembered', web, '[r] wider rule')
    web.press('Escape', 'd')
    await web.sees('why not?')
    web.type('not now')
    web.press('Enter')
    await take('An edit, as a diff against the file as it is now', web, 'web.2 needs you')
    web.press('a')
    await take('Questions with choices, one after the other', web, '1 of 2')
    web.press('1', 'Enter')
    await web.sees('2 of 2')
    web.type('1 3')
    await take('Several may be chosen', web, '> 1 3')
    web.press('Enter')
    await take('A turn that has ended', web, '· idle')
    const plan = await open(80, 'start', '--name', 'plan', '--mode', 'plan', 'Plan the languages')
    await take('A plan', plan, 'has a plan')
    await plexus('start', '--name', 'notes', 'Give the notes a title')
    await plexus('wait', 'notes')
    // What waits longest is selected; the diff is that of the next one.
    const watch = await open(80, 'watch')
    await watch.sees('2 need you')
    watch.press('j')
    await take('`plexus watch`: the list, and what the selected session asks', watch, '(+1 -1)')
    watch.press('Enter')
    await take('`plexus watch`: all of it', watch, 'Before this')
    const narrow = await open(40, 'watch')
    await narrow.sees('2 need you')
    narrow.press('j')
    await take('`plexus watch` in 40 columns', narrow, '+ # Release')
    const written = screensPage(shots)
    if (process.env['PLEXUS_WRITE_SCREENS']) await writeFile(page, written)
    const kept = await readFile(page, 'utf8')
    expect(withoutSums(kept)).toBe(withoutSums(written))
  },
  120_000,
)
