/**
 * Records what the real CLI prints: plain pipes, our hook registered by control initialize, every story of
 * test/rig/cli/cli-stories.ts. Prints the kind of each line in its order, and writes the lines, without paths of the
 * machine and without long lists, to OUT/<version>/<story>.jsonl. Built by every test run, then:
 *
 *   node .cache/programs/record-lines.mjs CLI OUT [story …]       from the folder of the project
 */
import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { decisionAnswer, hookAnswer, initialize, userMessage } from '../../src/child/lines/stdin-messages.ts'
import { startScriptedModel } from '../../src/demo/scripted-model.ts'
import { offlineEnvironment } from '../../src/demo/offline-environment.ts'
import { type Line, STORIES, type Story, subtypeOf } from '../rig/cli/cli-stories.ts'

const [cli = '', out = '', ...chosen] = process.argv.slice(2)
const nowhere = offlineEnvironment(
  '/usr/bin:/bin',
  join(tmpdir(), 'plexus-record-version'),
  'http://127.0.0.1:9',
)
const version = execFileSync(cli, ['--version'], { encoding: 'utf8', env: nowhere }).split(' ')[0] ?? ''

const ARGS = [
  '-p',
  '--input-format=stream-json',
  '--output-format=stream-json',
  '--verbose',
  '--permission-prompt-tool=stdio',
  '--replay-user-messages',
]

async function record(story: Story): Promise<Line[]> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'plexus-record-')))
  const project = join(home, 'project')
  const outside = join(home, 'outside')
  for (const path of [project, outside]) mkdirSync(path)
  for (const name of ['a', 'b']) writeFileSync(join(outside, name), `I am ${name}\n`)
  const model = await startScriptedModel(story.scenario(outside))
  const child = spawn(cli, [...ARGS, `--session-id=${randomUUID()}`, ...(story.args ?? [])], {
    cwd: project,
    env: { ...offlineEnvironment('/usr/bin:/bin', home, model.url), ...story.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines: Line[] = []
  const bell = new EventEmitter()
  const write = (message: unknown) => void child.stdin.write(`${JSON.stringify(message)}\n`)
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text) as Line
    lines.push(line)
    const answer = answerTo(line, story)
    if (answer) write(answer)
    bell.emit('ring')
  })
  const line = async (matches: (line: Line) => boolean, nth = 1): Promise<Line> => {
    for (;;) {
      const found = lines.filter(matches)[nth - 1]
      if (found) return found
      await once(bell, 'ring', { signal: AbortSignal.timeout(20_000) })
    }
  }
  write(initialize(600))
  const ended = once(child, 'close')
  await story
    .play({
      project,
      say: (content) => write(userMessage({ promptId: randomUUID(), content })),
      command: (command) => write(userMessage({ promptId: randomUUID(), content: `/${command}`, command })),
      request: (request) => write({ type: 'control_request', request_id: randomUUID(), request }),
      line,
      result: (nth) => line(({ type }) => type === 'result', nth),
    })
    .catch((error: unknown) => console.error(`failed: ${String(error)}`))
  child.stdin.end()
  await ended
  await model.close()
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  return lines.map((kept) => withoutMachine(kept, home))
}

function answerTo(line: Line, { leaveOpen }: Story): unknown {
  if (line.type !== 'control_request') return undefined
  const requestId = String(line['request_id'])
  const request = line['request'] as Line & { input?: Record<string, unknown> }
  switch (request.subtype) {
    case 'hook_callback':
      return hookAnswer(requestId, 'none')
    case 'can_use_tool': {
      if (request['tool_name'] === leaveOpen) return undefined
      const answers =
        request['tool_name'] === 'AskUserQuestion' ? { answers: { 'Which color?': 'Blue' } } : {}
      return decisionAnswer(requestId, { behavior: 'allow', updatedInput: { ...request.input, ...answers } })
    }
    case 'elicitation':
      return decisionAnswer(requestId, { behavior: 'form', action: 'accept', content: { name: 'Ada' } })
    default:
      return undefined
  }
}

/** The keys stay, so that the recordings show what there is; long lists and long texts are cut. */
function withoutMachine(line: Line, home: string): Line {
  const text = JSON.stringify(line, (_, value: unknown) => {
    if (Array.isArray(value) && value.length > 3) return value.slice(0, 2)
    return typeof value === 'string' && value.length > 400 ? `${value.slice(0, 200)}…` : value
  })
  const cleaned = text
    .replaceAll(home, '/home/somebody')
    .replaceAll(home.replaceAll('/', '-'), '-home-somebody')
    .replaceAll(process.cwd(), '/plexus')
    .replaceAll(process.execPath, 'node')
    .replaceAll(/\/tmp\/claude-\d+\//g, '/tmp/claude/')
    .replaceAll(/\/\d+\.sock/g, '/1.sock')
  return JSON.parse(cleaned) as Line
}

for (const [name, story] of Object.entries(STORIES)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  const lines = await record(story)
  const kinds = lines.map((line) => [line.type, subtypeOf(line)].filter(Boolean).join('/'))
  console.log(`${name}: ${kinds.join(' ')}`)
  mkdirSync(join(out, version), { recursive: true })
  writeFileSync(
    join(out, version, `${name}.jsonl`),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  )
}
