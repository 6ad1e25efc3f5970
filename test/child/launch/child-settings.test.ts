import { expect, it } from 'vitest'
import { childSettings } from '../../../src/child/launch/child-settings.ts'

it.each(['/home/ann/.local/state/plexus', "/Users/Ann O'Hara/Library (x)/plexus", '/home/jürgen/plexus'])(
  'a child may neither read nor change what lies in %s',
  (home) => {
    expect(childSettings(home)).toMatchObject({
      permissions: {
        deny: expect.arrayContaining([`Read(/${home}/**)`, `Edit(/${home}/**)`]) as unknown,
      },
      useAutoModeDuringPlan: false,
    })
  },
)

it('no memory file imports from the home, whose brackets would mean something in that pattern', () => {
  expect(childSettings("/Users/Ann O'Hara/Library (x)/plexus")).toMatchObject({
    claudeMdExcludes: ['/Users/Ann O?Hara/Library ?x?/plexus/**'],
  })
})

it('a slash at the end changes nothing', () => {
  for (const home of ['/a/plexus/', '/a/plexus//'])
    expect(childSettings(home)).toEqual(childSettings('/a/plexus'))
})

const plain = {
  claudeMdExcludes: ['/a/plexus/**'],
  deniedMcpServers: [],
  disableSkillShellExecution: true,
  env: {},
  permissions: {
    deny: ['Read(//a/plexus/**)', 'Edit(//a/plexus/**)', 'CronCreate', 'CronDelete', 'ScheduleWakeup'],
  },
  useAutoModeDuringPlan: false,
}

it('a child schedules nothing and runs no commands of a skill; hooks that could answer for us are off where more is asked', () => {
  expect(childSettings('/a/plexus')).toEqual(plain)
  expect(childSettings('/a/plexus', { supervise: 'asked' })).toEqual(plain)
  for (const supervise of ['writes', 'all'] as const)
    expect(childSettings('/a/plexus', { supervise })).toEqual({ ...plain, disableAllHooks: true })
})

it('settings carry the variables and the servers that are denied', () => {
  const given = { env: { A: '1' }, deniedMcpServers: [{ serverName: 'plexus' }] }
  expect(childSettings('/a/plexus', given)).toEqual({ ...plain, ...given })
})

it.each([
  '/a*',
  '/a?',
  '/a[b]',
  '/a{b}',
  '/a\\b',
  '/a$b',
  '/a ',
  '/ a/b',
  '/a/\tb',
  '/a\nb',
  '/a"b',
  'relative',
  '',
  '/',
  '/a/../b',
])('a home that the rules could not guard is refused: %j', (home) => {
  expect(() => childSettings(home)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
})
