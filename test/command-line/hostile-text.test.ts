/** Whatever a child, a model or a repository has chosen as a text: no command lets it do anything to a terminal. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { StartOptions } from '../../src/child/launch/start-options.ts'
import { alignedLines } from '../../src/command-line/views/columns.ts'
import { decisionColumns } from '../../src/command-line/views/decision-views.ts'
import { questionCard } from '../../src/command-line/views/question-cards.ts'
import { byUrgency, sessionColumns } from '../../src/command-line/views/session-views.ts'
import type { SessionEvent } from '../../src/events/session-event.ts'
import { aSession, aStep } from '../contracts/rows.ts'
import { commandHub } from '../rig/hubs/command-hub.ts'
import { asApprovalId, asGrantId } from '../rig/tools/ids.ts'

/** A title, a link, colours, the cursor, the clipboard, 8-bit controls, reversed text, what cannot be seen, and a line of its own. */
const HOSTILE = [
  '\u001B]0;owned\u0007\u001B]8;;http://x\u0007\u001B[2J\u001B[1;1H\u001B[31m\u001B]52;c;eA==\u0007',
  '\u009B2J\u0085\u202Etxt.exe\u2066\u2069\u200B\u00AD\u2028\u{E0041}\r\b\t\u0000',
  '\nNAME  STATE\nfake  idle\n',
].join('')
const LONG = 'x'.repeat(10_000)
const BAD = `bad${HOSTILE}${LONG}`
/** All that may move a cursor or hide something, but for the newline. */
const RAW = /(?!\n)[\p{C}\p{Zl}\p{Zp}\u00AD\u200B\u2066\u2069]/u

const ID = '11111111-1111-4111-8111-111111111111'

/** A session whose every text is hostile, with a log, a tree, a grant, an open question and a decision. */
async function filledHub() {
  const hub = await commandHub()
  const { store, project } = hub
  const folder = join(project, `bad${HOSTILE.replaceAll('\u0000', '').replaceAll('/', '')}`)
  await mkdir(folder)
  await store.sessions.create(
    aSession({
      id: ID,
      name: `bad${HOSTILE.replaceAll('\u0000', '')}`.slice(0, 200),
      workingDirectory: folder,
      model: BAD,
      permissionMode: BAD,
      headNode: 'node-1',
      config: StartOptions.parse({ carrier: 'mcp' }),
      status: 'failed',
      error: { code: 'cli_failed', message: BAD },
    }),
  )
  const asked = { toolName: BAD, input: { command: BAD, file_path: BAD, [BAD]: BAD }, toolUseId: 't' }
  const events: SessionEvent[] = [
    { type: 'prompt.accepted', promptId: 'p', content: BAD },
    { type: 'text', text: BAD },
    { type: 'tool.used', ...asked },
    { type: 'tool.finished', toolUseId: 't', isError: true, content: BAD },
    { type: 'tool.finished', toolUseId: 't', isError: false, content: BAD },
    { type: 'approval.opened', approvalId: asApprovalId('old'), kind: 'tool', requestId: 'r', ...asked },
    { type: 'approval.extended', approvalId: asApprovalId('old'), by: BAD, until: 5 },
    { type: 'approval.settled', approvalId: asApprovalId('old'), status: 'denied', by: BAD },
    { type: 'turn.ended', outcome: 'failed', error: { code: 'x', message: BAD } },
    { type: 'run.ended', runId: 'r' as never, error: { code: 'x', message: BAD } },
  ]
  await store.journal.append(
    aStep(0, {
      sessionId: ID,
      events: events.map((event) => ({ turn: 1, event })),
      nodes: [{ id: 'node-1', sessionId: ID, turn: 1, title: BAD, cliSessionId: ID, at: 4 }],
      granted: [
        {
          id: asGrantId('g'),
          sessionId: ID,
          scope: 'session',
          rules: [{ id: 'g', effect: 'allow', exact: { toolName: BAD, subject: BAD, folder: BAD } }],
          by: BAD,
          at: 1,
        },
      ],
      spent: [{ model: BAD, usd: 1.5, tokens: 3 }],
    }),
  )
  const session = { id: ID as never }
  await hub.ask(session, { command: BAD, description: BAD })
  await hub.ask(session, { file_path: BAD, content: BAD }, `mcp__${BAD}`)
  await hub.ask(session, { file_path: BAD, old_string: BAD, new_string: BAD }, 'Edit')
  const options = [
    { label: BAD, description: BAD },
    { label: 'b', description: '' },
  ]
  await hub.ask(
    session,
    { questions: [{ question: BAD, header: BAD, options, multiSelect: false }] },
    'AskUserQuestion',
  )
  await hub.ask(session, { plan: BAD }, 'ExitPlanMode')
  const [first] = await hub.engine.pending(hub.operator, { sessionId: ID })
  await hub.engine.answer(
    { caller: { ...hub.operator.caller, name: BAD } },
    { approvalId: first?.id ?? '', approve: false, message: BAD },
  )
  return hub
}

const COMMANDS: readonly (readonly string[])[] = [
  ['ls'],
  ['ls', '--all'],
  ['show', ID],
  ['show', '11111111.2'],
  ['logs', ID],
  ['pending'],
  ['tree', ID],
  ['export', ID],
  ['grants', 'ls', ID],
  ['decisions'],
  ['cost'],
  ['wait', ID],
  ['allow', '--all'],
  ['complete', '--', 'show', ''],
  ['complete', '--', 'allow', ''],
  ['show', 'no\u001B[2J\u202E'],
  ['rpc', 'pending'],
]

test('no command prints a text of somebody else as it is', async () => {
  const { plexus } = await filledHub()
  const check = async (args: readonly string[]) => {
    const { stdout, stderr } = await plexus(...args)
    const printed = stdout + stderr
    // On a busy machine nothing is completed.
    expect.soft(printed !== '' || args[0] === 'complete', args.join(' ')).toBe(true)
    expect.soft(printed.match(RAW)?.[0]?.codePointAt(0)?.toString(16), args.join(' ')).toBeUndefined()
    // A document has the lines of its texts; nothing else has.
    expect.soft(/^fake {2}idle/m.test(stdout) && args[0] !== 'export', args.join(' ')).toBe(false)
  }
  for (const args of COMMANDS) {
    await check(args)
    // All JSON is printed by one function.
    if (args[0] === 'ls' || args[0] === 'logs') await check([...args, '--json'])
  }
})

test('a row is one line, and no line is wider than the screen', async () => {
  const { engine, operator } = await filledHub()
  const sessions = await engine.listSessions(operator, {})
  const open = await engine.pending(operator, {})
  const decided = await engine.decisions(operator, {})
  const context = { now: Date.now(), homeFolder: '/home', style: (_: string, text: string) => text }
  for (const width of [40, 80])
    for (const columns of [sessionColumns(byUrgency(sessions, open), context), decisionColumns(decided)]) {
      const lines = alignedLines(columns, width)
      expect(lines).toHaveLength(2)
      for (const line of lines) {
        expect(line).not.toMatch(/\n/)
        expect(stringWidth(line)).toBeLessThanOrEqual(width)
      }
    }
  for (const question of open)
    expect(questionCard(question, { now: 0, homeFolder: '/', most: 3 }).length).toBeLessThanOrEqual(6)
})
