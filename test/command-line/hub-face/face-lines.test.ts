import { expect, test } from 'vitest'
import { questionsOf } from '../../../src/approvals/question.ts'
import { askedLine, greetingLines, stopLines } from '../../../src/command-line/hub-face/face-lines.ts'
import { runningLines } from '../../../src/command-line/hub-face/what-runs.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { anApproval, aSession } from '../../contracts/rows.ts'

function asked(shortId: string, fields: Parameters<typeof anApproval>[0] = {}): PendingQuestion {
  const approval = anApproval({ toolName: 'Bash', input: { command: 'touch x' }, ...fields })
  return { ...approval, questions: questionsOf(approval), suggestedRules: [], shortId }
}

test('a question is one line, with the command that allows it', () => {
  expect(askedLine(asked('web.3'), 80, '')).toBe('web wants to run: touch x   plexus allow web.3')
  expect(askedLine(asked('web.3'), 80, ' --home /h')).toBe(
    'web wants to run: touch x   plexus allow web.3 --home /h',
  )
})

test('what the line does not show whole is to be read, not allowed', () => {
  const long = askedLine(asked('web.3', { input: { command: `echo ${'x'.repeat(100)}; rm -rf /` } }), 80, '')
  expect(long).toMatch(/^web wants to run: echo x+…   plexus show web\.3$/)
  expect(long).toHaveLength(80)
  const edit = asked('web.4', {
    toolName: 'Edit',
    input: { file_path: '/a', old_string: 'x', new_string: 'y' },
  })
  expect(askedLine(edit, 80, '')).toBe('web wants to edit: /a   plexus show web.4')
  const plan = asked('web.5', { kind: 'plan', toolName: 'ExitPlanMode', input: { plan: 'all of it' } })
  expect(askedLine(plan, 80, '')).toBe('web has a plan   plexus show web.5')
})

test('a name that a shell would run, or that hides text, is made visible and not offered for typing', () => {
  const line = askedLine(asked('a`id`\u202E.1', { id: 'the-whole-id' }), 200, '')
  expect(line).toBe('a`id`\\u{202e} wants to run: touch x   plexus allow the-whole-id')
  expect(askedLine(asked('web.1', { input: { command: 'a\u001B[2Jb\nc' } }), 200, '')).toBe(
    'web wants to run: a\\u{1b}[2Jb ⏎ c   plexus allow web.1',
  )
})

test('when the hub stops it says what stays, and how to end it', () => {
  const none = { sessions: [], open: [], homeFlag: '', endsChildren: false }
  expect(stopLines(none)).toEqual(['The hub stops. No session is at work.'])
  const [web, odd] = [aSession({ name: 'web' }), aSession({ id: 'abcdef0123456789', name: '$(id)' })]
  expect(stopLines({ ...none, sessions: [web, odd], open: [asked('web.3', { sessionId: web.id })] })).toEqual(
    [
      'The hub stops. 2 sessions at work stay: web, $(id)',
      '1 question waits: web.3',
      'The next hub continues with them, within 30 minutes.',
      'To end them: plexus stop web abcdef01',
    ],
  )
  const there = aSession({ id: 't', name: 'web-79', outside: { to: 'terminal', pid: 7, startedAt: '1' } })
  const open = [asked('web.3', { sessionId: web.id }), asked('web-79.1', { sessionId: there.id })]
  expect(stopLines({ ...none, sessions: [web, there], open })).toEqual([
    'The hub stops. 1 session at work stays: web',
    '1 question waits: web.3',
    'The next hub continues with them, within 30 minutes.',
    'To end them: plexus stop web',
    '1 terminal asks in its own dialog until a hub runs: web-79',
  ])
  expect(stopLines({ ...none, sessions: [there] })).toEqual([
    'The hub stops. No session of its own is at work.',
    '1 terminal asks in its own dialog until a hub runs: web-79',
  ])
  expect(stopLines({ ...none, sessions: [web], endsChildren: true })).toEqual([
    'The hub stops, and its sessions end with it.',
  ])
})

test('a hub that starts says where it is, and what to type', () => {
  const hub = {
    version: '1.2.3',
    url: 'http://127.0.0.1:1',
    command: 'plexus',
    homeFlag: '',
    demo: 'plexus demo',
  }
  const lines = greetingLines(hub)
  expect(lines[0]).toBe('Plexus 1.2.3 runs at http://127.0.0.1:1')
  expect(lines.join('\n')).toContain('claude mcp add --scope user plexus -- plexus mcp\n')
  expect(lines.join('\n')).not.toContain('alias')
  expect(lines.join('\n')).toContain('In a browser    plexus open\n')
  const link = { url: 'http://127.0.0.1:1/#c=x', hasNext: true }
  expect(greetingLines({ ...hub, link }).join('\n')).toMatch(
    /In a browser {4}http:\/\/127\.0\.0\.1:1\/#c=x\n +works once, within a minute; Enter prints a new one\n/,
  )
  expect(greetingLines({ ...hub, link: { ...link, hasNext: false } }).join('\n')).toContain(
    'plexus open prints a new one',
  )
})

test('bare plexus counts what runs', () => {
  const sessions = [aSession({ status: 'running' }), aSession({ status: 'done' })]
  expect(runningLines(sessions, [])).toEqual([
    'A hub runs, with 2 sessions, 1 at work; plexus ls lists them.',
    'Nothing waits for an answer.',
  ])
  expect(runningLines([], [asked('web.1')])[1]).toBe(
    '1 question waits for an answer; plexus pending shows it.',
  )
})
