import { describe, expect, it } from 'vitest'
import { childEnvironment, fixedVariables } from '../../../src/child/launch/child-environment.ts'

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
  'CDPATH',
  'PLEXUS_HOME',
  'PLEXUS_ANYTHING',
]

/** What every child's git is given. */
const GIT = {
  GIT_CONFIG_COUNT: '3',
  GIT_CONFIG_KEY_0: 'core.fsmonitor',
  GIT_CONFIG_VALUE_0: 'false',
  GIT_CONFIG_KEY_1: 'safe.bareRepository',
  GIT_CONFIG_VALUE_1: 'explicit',
  GIT_CONFIG_KEY_2: 'log.showSignature',
  GIT_CONFIG_VALUE_2: 'false',
}

describe('the environment of a child', () => {
  it('is that of its hub, with the mark of its session and what the caller set', () => {
    const base = { PATH: '/bin', ANTHROPIC_API_KEY: 'k', CLAUDE_CONFIG_DIR: '/c', GONE: undefined, A: '1' }
    expect(childEnvironment(base, { sessionId: 's', env: { A: '2', B: '-x' } })).toStrictEqual({
      PATH: '/bin',
      ANTHROPIC_API_KEY: 'k',
      CLAUDE_CONFIG_DIR: '/c',
      LOOPBACK_SESSION_ID: 's',
      A: '2',
      B: '-x',
      ...GIT,
    })
  })

  it.each(DROPPED)('does not inherit %s, nor can a caller set it', (name) => {
    expect(childEnvironment({ [name]: 'x' }, { sessionId: 's' })).toEqual({
      LOOPBACK_SESSION_ID: 's',
      ...GIT,
    })
    expect(() => childEnvironment({}, { sessionId: 's', env: { [name]: 'x' } })).toThrow(
      `env may not set ${name}`,
    )
  })

  it('carries its own mark and no other', () => {
    expect(childEnvironment({ LOOPBACK_SESSION_ID: 'parent' }, { sessionId: 's' })).toEqual({
      LOOPBACK_SESSION_ID: 's',
      ...GIT,
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

  it.each(Object.entries(fixedVariables({ trusted: false, cliVersion: '2.1.197' })))(
    'has %s=%s, whatever the hub and the caller say',
    (name, value) => {
      const fixed = fixedVariables({ trusted: false, cliVersion: '2.1.197' })
      expect(childEnvironment({ [name]: 'x' }, { sessionId: 's', fixed })).toMatchObject({ [name]: value })
      expect(() => childEnvironment({}, { sessionId: 's', fixed, env: { [name]: '' } })).toThrow(
        `env may not set ${name}`,
      )
    },
  )

  it('S31: keeps the CLI from looking at the git of a folder that nobody trusts, where the CLI is too old to do so safely', () => {
    const name = 'CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS'
    expect(fixedVariables({ trusted: false, cliVersion: '2.1.197' })).toHaveProperty(name, '1')
    expect(fixedVariables({ trusted: true, cliVersion: '2.1.197' })).not.toHaveProperty(name)
    expect(fixedVariables({ trusted: false, cliVersion: '2.1.325' })).not.toHaveProperty(name)
  })

  it('S31: has our rules for git after those of the user and of the caller', () => {
    const base = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'a.b', GIT_CONFIG_VALUE_0: 'c' }
    expect(childEnvironment(base, { sessionId: 's' })).toMatchObject({
      ...base,
      GIT_CONFIG_COUNT: '4',
      GIT_CONFIG_KEY_1: 'core.fsmonitor',
      GIT_CONFIG_VALUE_3: 'false',
    })
    expect(childEnvironment({}, { sessionId: 's', env: base })).toMatchObject({ GIT_CONFIG_COUNT: '4' })
    for (const count of ['-1', '1x', '12345', ''])
      expect(childEnvironment({ GIT_CONFIG_COUNT: count }, { sessionId: 's' })).toMatchObject(GIT)
    expect(childEnvironment({ GIT_CONFIG_COUNT: '12' }, { sessionId: 's' })).toMatchObject({
      GIT_CONFIG_COUNT: '15',
      GIT_CONFIG_KEY_12: 'core.fsmonitor',
    })
  })
})
