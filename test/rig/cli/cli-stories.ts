/** Short stories that make the CLI print each kind of line. `test/programs/record-lines.ts` records them. */
import { join } from 'node:path'
import type { Scenario } from '../../../src/demo/scenario.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import type { Command } from '../../../src/events/session-event.ts'

export type Line = Record<string, unknown> & { type?: string; subtype?: string }

interface Host {
  readonly project: string
  say(text: string): void
  command(name: Command): void
  request(request: Record<string, unknown>): void
  /** The n-th line that matches, printed already or still to come. */
  line(matches: (line: Line) => boolean, nth?: number): Promise<Line>
  result(nth?: number): Promise<Line>
}

export interface Story {
  readonly scenario: (outside: string) => Scenario
  readonly args?: readonly string[]
  readonly env?: Record<string, string>
  /** A question of a tool named here is left open. */
  readonly leaveOpen?: string
  readonly play: (host: Host) => Promise<unknown>
}

/** Says one thing and waits for the end of the turn. */
async function turn(host: Host): Promise<unknown> {
  host.say('go')
  return host.result()
}

const ofSubtype =
  (type: string, subtype: string) =>
  (line: Line): boolean =>
    line.type === type && subtypeOf(line) === subtype

export const subtypeOf = (line: Line): unknown =>
  line.type === 'control_request' ? (line['request'] as Line).subtype : line.subtype

const question = {
  question: 'Which color?',
  header: 'Color',
  multiSelect: false,
  options: [
    { label: 'Red', description: 'warm' },
    { label: 'Blue', description: 'cold' },
  ],
}
const asking = join('test', 'fixtures', 'asking-mcp-server.mjs')

export const STORIES: Record<string, Story> = {
  text: {
    scenario: () => ({ main: [say('Hello there.')] }),
    args: ['--include-partial-messages'],
    play: turn,
  },
  thinking: {
    scenario: () => ({
      main: [
        {
          blocks: [
            { type: 'thinking', text: 'Let me see.' },
            { type: 'text', text: 'Seen.' },
          ],
        },
      ],
    }),
    play: turn,
  },
  'tool-asked': {
    scenario: () => ({ main: [tools(use('Bash', { command: 'touch asked' })), say('made')] }),
    play: turn,
  },
  'tool-unasked': {
    scenario: () => ({ main: [tools(use('Bash', { command: 'ls' })), say('listed')] }),
    play: turn,
  },
  'parallel-reads': {
    scenario: (outside) => ({
      main: [
        tools(use('Read', { file_path: `${outside}/a` }), use('Read', { file_path: `${outside}/b` })),
        say('read'),
      ],
    }),
    play: turn,
  },
  'sub-agent': {
    scenario: () => ({
      main: [
        tools(
          use('Agent', {
            description: 'helps',
            prompt: 'please make a file',
            subagent_type: 'general-purpose',
          }),
        ),
        say('main done'),
      ],
      agents: {
        'please make a file': [tools(use('Bash', { command: 'touch by-agent' })), say('agent done')],
      },
    }),
    async play(host) {
      await turn(host)
      await host.line(
        (line) =>
          ofSubtype('system', 'task_notification')(line) ||
          (line.type === 'user' && JSON.stringify(line).includes('agent done')),
      )
    },
  },
  plan: {
    scenario: () => ({ main: [tools(use('ExitPlanMode', { plan: '# Plan' })), say('planned')] }),
    args: ['--permission-mode=plan'],
    play: turn,
  },
  question: {
    scenario: () => ({ main: [tools(use('AskUserQuestion', { questions: [question] })), say('blue it is')] }),
    play: turn,
  },
  'interrupt-while-pending': {
    scenario: () => ({ main: [tools(use('Bash', { command: 'touch never' })), say('never said')] }),
    leaveOpen: 'Bash',
    async play(host) {
      host.say('go')
      await host.line(ofSubtype('control_request', 'can_use_tool'))
      host.request({ subtype: 'interrupt' })
      await host.result()
    },
  },
  'interrupt-while-hanging': {
    scenario: () => ({ main: [{ hang: true }] }),
    async play(host) {
      host.say('go')
      await host.line(ofSubtype('system', 'init'))
      host.request({ subtype: 'interrupt' })
      await host.result()
    },
  },
  'retry-after-500': {
    scenario: () => ({ main: [{ status: 500 }, say('better now')] }),
    play: turn,
  },
  compact: {
    scenario: () => ({ main: [say('one'), say('two')] }),
    async play(host) {
      await turn(host)
      host.say('on') // 2.1.197 finds a single turn too short to compact
      await host.result(2)
      host.command('compact')
      await host.result(3)
    },
  },
  'background-bash': {
    scenario: () => ({
      main: [
        tools(use('Bash', { command: 'echo from behind', run_in_background: true, description: 'echoes' })),
        say('started'),
        say('noticed'),
      ],
    }),
    async play(host) {
      await turn(host)
      await host.line(ofSubtype('system', 'task_notification'))
      await host.result(2)
    },
  },
  clear: {
    scenario: () => ({ main: [say('before')] }),
    async play(host) {
      await turn(host)
      host.command('clear')
      await host.result(2)
      host.say('again')
      await host.result(3)
    },
  },
  'mode-change': {
    scenario: () => ({ main: [say('changed')] }),
    async play(host) {
      host.request({ subtype: 'set_permission_mode', mode: 'acceptEdits' })
      await host.line(ofSubtype('system', 'status'))
      await turn(host)
    },
  },
  denied: {
    scenario: () => ({ main: [tools(use('Bash', { command: 'touch denied' })), say('refused')] }),
    args: ['--permission-mode=dontAsk'],
    play: turn,
  },
  form: {
    scenario: () => ({ main: [tools(use('mcp__asking__greet', {})), say('greeted')] }),
    args: [
      `--mcp-config=${JSON.stringify({ mcpServers: { asking: { command: process.execPath, args: [join(process.cwd(), asking)] } } })}`,
      '--strict-mcp-config',
      '--allowedTools=mcp__asking__greet',
    ],
    env: { MCP_CONNECTION_NONBLOCKING: '0' },
    play: turn,
  },
  'failed-turn': {
    scenario: () => ({ main: () => ({ status: 400, message: 'no such thing' }) }),
    play: turn,
  },
}
