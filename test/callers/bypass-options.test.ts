import { expect, test } from 'vitest'
import { PERMISSION_MODES } from '../../src/base/permission-modes.ts'
import { optionsNeedingBypass } from '../../src/callers/bypass-options.ts'

test('the modes in which nobody is asked need bypass, and no other does', () => {
  const needing = [...PERMISSION_MODES, undefined].filter(
    (permissionMode) => optionsNeedingBypass({ permissionMode }).length > 0,
  )
  expect(new Set(needing)).toEqual(new Set(['auto', 'bypassPermissions', 'cli']))
})

test.each<[string, Parameters<typeof optionsNeedingBypass>[0], string[]]>([
  ['nothing', {}, []],
  ['a mode without questions', { permissionMode: 'auto' }, ['permissionMode auto']],
  ['no permissions at all', { dangerouslySkipPermissions: true }, ['dangerouslySkipPermissions']],
  ['permissions as they are', { dangerouslySkipPermissions: false }, []],
  ['a rule for one program', { allowedTools: ['Bash(git diff *)', 'Read'] }, []],
  [
    'rules for any program',
    { allowedTools: ['Read', 'Bash', 'Bash(sh *)'] },
    ['allowedTools Bash, Bash(sh *)'],
  ],
  ['an empty environment', { env: {} }, []],
  ['a variable', { env: { PATH: '/tmp' } }, ['env']],
  ['a server that is reached', { mcpServers: { web: { type: 'http', url: 'http://127.0.0.1' } } }, []],
  [
    'a server that is started, among others',
    { mcpServers: { web: { url: 'http://127.0.0.1' }, local: { command: 'sh' } } },
    ['mcpServers with a command'],
  ],
  [
    'all of it',
    {
      permissionMode: 'cli',
      dangerouslySkipPermissions: true,
      allowedTools: ['*'],
      env: { A: 'b' },
      mcpServers: { a: { command: 'b' } },
    },
    [
      'permissionMode cli',
      'dangerouslySkipPermissions',
      'allowedTools *',
      'env',
      'mcpServers with a command',
    ],
  ],
])('of the start options, %s', (_, options, reasons) => {
  expect(optionsNeedingBypass(options)).toEqual(reasons)
})
