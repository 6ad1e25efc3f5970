import { describe, expect, it } from 'vitest'
import { childEnvironment } from '../../src/child/child-environment.ts'

const DROPPED = [
  'CLAUDECODE',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_EXECPATH',
  'CLAUDE_CODE_MESSAGING_SOCKET',
  'CLAUDE_CODE_MESSAGING_TOKEN',
  'CLAUDE_CODE_SKIP_PROMPT_HISTORY',
  'CLAUDE_PROJECT_DIR',
  'AI_AGENT',
  'CLAUDE_EFFORT',
  'NODE_OPTIONS',
  'PLEXUS_HOME',
  'PLEXUS_ANYTHING',
]

describe('the environment of a child', () => {
  it('is that of its hub, with the mark of its session and what the caller set', () => {
    const base = { PATH: '/bin', ANTHROPIC_API_KEY: 'k', CLAUDE_CONFIG_DIR: '/c', GONE: undefined, A: '1' }
    expect(childEnvironment(base, { sessionId: 's', env: { A: '2', B: '-x' } })).toEqual({
      PATH: '/bin',
      ANTHROPIC_API_KEY: 'k',
      CLAUDE_CONFIG_DIR: '/c',
      LOOPBACK_SESSION_ID: 's',
      A: '2',
      B: '-x',
    })
  })

  it.each(DROPPED)('does not inherit %s, nor can a caller set it', (name) => {
    expect(childEnvironment({ [name]: 'x' }, { sessionId: 's' })).toEqual({ LOOPBACK_SESSION_ID: 's' })
    expect(() => childEnvironment({}, { sessionId: 's', env: { [name]: 'x' } })).toThrow(
      `env may not set ${name}`,
    )
  })

  it('carries its own mark and no other', () => {
    expect(childEnvironment({ LOOPBACK_SESSION_ID: 'parent' }, { sessionId: 's' })).toEqual({
      LOOPBACK_SESSION_ID: 's',
    })
    expect(() => childEnvironment({}, { sessionId: 's', env: { LOOPBACK_SESSION_ID: 'x' } })).toThrow(
      expect.objectContaining({ code: 'invalid_input' }),
    )
  })

  it.each([{ 'A=B': 'x' }, { '': 'x' }, { A: 'x\0y' }, { 'A\0': 'x' }])(
    'refuses %j, which no process can have',
    (env) => {
      expect(() => childEnvironment({}, { sessionId: 's', env })).toThrow(
        expect.objectContaining({ code: 'invalid_input' }),
      )
    },
  )
})
