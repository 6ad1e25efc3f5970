/** A hub with sessions that ask: what each prompt says is what its model does. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Reply, say, tools, use } from '../../../src/demo/scenario.ts'
import { planFileIn } from '../../../src/command-line/tour/tour-model.ts'
import { type Hub, type HubPlace, hubPlace } from '../hubs/hub.ts'

const SOURCE = `import { readFile } from 'node:fs/promises'

/** Reads the settings; without a file there are none. */
export async function readSettings(path: string) {
  const text = await readFile(path, 'utf8')
  return JSON.parse(text)
}
`

const QUESTION = {
  question: 'Which database should the tests use?',
  header: 'Database',
  multiSelect: false,
  options: [
    { label: 'SQLite', description: 'In memory, a new one for each test' },
    { label: 'Postgres', description: 'The one of docker compose' },
  ],
}

const PLAN = `# Make settings optional

1. Catch a missing file in \`readSettings\`
2. Return **no settings** then
3. Add a test

\`\`\`ts
expect(await readSettings('/nowhere')).toEqual({})
\`\`\`
`

interface Place {
  readonly project: string
  readonly commands: Readonly<Record<string, string>>
  readonly planFile: string
}

/** `Run: COMMAND`, `Edit`, `Plan`, `Ask`, `Greet`: anything else is answered with a text. */
function repliesTo(prompt: string, { project, commands, planFile }: Place): Reply[] {
  const file = join(project, 'settings.ts')
  const [, command] = /^Run: (.*)/.exec(prompt) ?? []
  if (command !== undefined)
    return [
      tools(
        use('Bash', { command: commands[command.trim()] ?? command.trim(), description: 'As it was said' }),
      ),
    ]
  if (prompt.startsWith('Plan'))
    return [
      // 2.1.325 takes the plan from its file alone.
      tools(use('Write', { file_path: planFile, content: PLAN })),
      tools(use('ExitPlanMode', { plan: PLAN })),
    ]
  if (prompt.startsWith('Greet')) return [tools(use('mcp__asking__greet', {}))]
  if (prompt.startsWith('Ask')) return [tools(use('AskUserQuestion', { questions: [QUESTION] }))]
  if (!prompt.startsWith('Edit')) return [say('Hello.')]
  return [
    // The CLI edits only what it has read.
    tools(use('Read', { file_path: file })),
    tools(
      { type: 'text', text: 'I read the file. It fails where there are no settings.' },
      use('Edit', {
        file_path: file,
        old_string: "  const text = await readFile(path, 'utf8')",
        new_string: "  const text = await readFile(path, 'utf8').catch(() => '{}')",
      }),
    ),
  ]
}

export interface AskingHub {
  readonly place: HubPlace
  readonly hub: Hub
  readonly start: (name: string, prompt: string, options?: object) => Promise<string>
}

/** `commands`: what `Run: NAME` runs, where a prompt could not hold the command itself. */
export async function askingHub(
  commands: Readonly<Record<string, string>> = {},
  env: Record<string, string> = {},
): Promise<AskingHub> {
  const left = new Map<string, Reply[]>()
  let project = ''
  const place = await hubPlace({
    env,
    scenario: {
      main: (request) => {
        const { sessionId = '', lastUserText, toolResults } = request
        const where = { project, commands, planFile: planFileIn(JSON.stringify(request)) }
        if (toolResults.length === 0) left.set(sessionId, repliesTo(lastUserText.trim(), where))
        return left.get(sessionId)?.shift() ?? say('It is done.')
      },
    },
  })
  project = place.project
  await writeFile(join(project, 'settings.ts'), SOURCE)
  const hub = await place.start()
  const start = async (name: string, prompt: string, options: object = {}) => {
    const { id } = await hub.call<{ id: string }>('createSession', {
      options: { name, workingDirectory: project, ...options },
      content: prompt,
    })
    place.sessions.add(id)
    return id
  }
  return { place, hub, start }
}
