import { describe, expect, test } from 'vitest'
import { paperDisk } from '../rig/tools/paper-disk.ts'
import { aContext, bash, effectOn, rulesOf, verdictOn } from './rules-rig.ts'

const cwd = '/code/web'
const on = (toolName: string, input: object, rules: object[], folder: string | undefined = cwd) =>
  verdictOn({ toolName, input, cwd: folder }, rulesOf(rules)).effect
const because = 'No.'

const allows = (path: string | string[]) => [{ id: 'a', effect: 'allow', tool: 'Read', path }]

const noFolder = (input: object, rules: object[]) =>
  verdictOn({ toolName: 'Read', input }, rulesOf(rules)).effect

const read = (file_path: string, path: string | string[]) => on('Read', { file_path }, allows(path))

describe('a path', () => {
  test.each([
    ['in the folder of the session', 'src/a.ts', '.', 'allow'],
    ['relative to the folder of the session', 'src/a.ts', 'src', 'allow'],
    ['beside a folder whose name begins so', '/code/web/src2/a.ts', 'src', 'none'],
    ['of a folder with slashes at its end', '/code/web/src/a.ts', '/code/web/src//', 'allow'],
    ['of the home folder', '/home/me/a.ts', '~', 'allow'],
    ['below the home folder', '/home/me/notes/a.ts', '~/notes', 'allow'],
    ['of a name that begins with a tilde', '/home/me/a.ts', '~me', 'none'],
    ['anywhere', '/etc/hosts', '/', 'allow'],
    ['with a star for a part of it', '/code/web/src/a.ts', '/code/web/*.ts', 'allow'],
    ['with a star and another end', '/code/web/src/a.js', '/code/web/*.ts', 'none'],
    ['with a star and relative', '/code/web/src/a.ts', 'src/*.ts', 'allow'],
    ['with a star at its start', '/etc/a.ts', '*.ts', 'allow'],
    ['that is one of several', '/work/a.ts', ['src', '/work'], 'allow'],
    ['that is none of several', '/etc/a.ts', ['src', '/work'], 'none'],
    ['of a file of Plexus', '/home/me/.local/state/plexus/x', '/home/me/*', 'none'],
  ])('%s', (_, file, path, effect) => {
    expect(read(file, path)).toBe(effect)
  })

  test('is not known without a file, and a relative one not without a folder', () => {
    const denies = [{ id: 'd', effect: 'deny', tool: 'Read', path: '/etc', because }]
    expect(on('Read', {}, denies)).toBe('ask')
    expect(noFolder({ file_path: 'a.ts' }, denies)).toBe('ask')
    expect(noFolder({ file_path: '/etc/a' }, denies)).toBe('deny')
    expect(noFolder({ file_path: '/work/a' }, denies)).toBe('none')
    expect(noFolder({ file_path: 'a.ts' }, allows('.'))).toBe('none')
    expect(noFolder({ file_path: '/code/web/a.ts' }, allows('.'))).toBe('allow')
  })

  test('that leads through a link to nothing is asked about by a rule that refuses', () => {
    const rules = [{ id: 'd', effect: 'deny', tool: 'Read', path: '/etc', because }]
    const context = aContext()
    const files = { ...context.place.files, hasEntry: () => true, realPath: () => undefined }
    const place = { ...context.place, files }
    const call = { toolName: 'Read', input: { file_path: '/code/web/link' }, cwd }
    expect(verdictOn(call, rulesOf(rules), { ...context, place }).effect).toBe('ask')
  })

  test('of what is guarded is allowed by no rule for its folder, but refused by one', () => {
    const file_path = '/code/web/.git/config'
    expect(on('Write', { file_path }, [{ id: 'a', effect: 'allow', tool: 'Write', path: '.' }])).toBe('none')
    expect(on('Write', { file_path }, [{ id: 'd', effect: 'deny', tool: 'Write', path: '.', because }])).toBe(
      'deny',
    )
  })

  test.each([
    ['/code/web/*', 'none'],
    ['*', 'none'],
    ['*/hooks/*', 'none'],
    ['/code/web/.git/*', 'allow'],
    ['/code/web/.git/hooks/x*', 'allow'],
  ])('of what is guarded is allowed with a star only where that is said: %s: %s', (path, effect) => {
    const rules = [{ id: 'a', effect: 'allow', tool: 'Write', path }]
    expect(on('Write', { file_path: '/code/web/.git/hooks/x' }, rules)).toBe(effect)
  })

  test.each([
    ['a link out of the folder', 'out', '/code/web/out/a', 'none'],
    ['a link to what is guarded', 'hidden', '/code/web/hidden/hooks/a', 'none'],
    ['a file that has become a link', '/code/web/a.ts', '/code/web/a.ts', 'none'],
    ['the same by another way to the folder', '/www/out', '/code/web/out/a', 'none'],
    ['what lies there by another way to the folder', '/www/src', '/code/web/src/a', 'allow'],
    ['a link elsewhere, which the person has made', '/notes', '/home/me/notes/a', 'allow'],
  ])('of a rule that allows is not that of a link in the folder: %s', (_, path, file_path, effect) => {
    const context = aContext()
    const files = paperDisk({
      '/code/web/out': { link: '/home/me' },
      '/code/web/hidden': { link: '/code/web/.git' },
      '/code/web/.git/hooks/': '',
      '/code/web/a.ts': { link: '/home/me/b.ts' },
      '/code/web/src/': '',
      '/home/me/b.ts': '',
      '/home/me/notes/': '',
      '/www': { link: '/code/web' },
      '/notes': { link: '/home/me/notes' },
    })
    const rules = rulesOf([{ id: 'a', effect: 'allow', tool: 'Write', path }])
    const call = { toolName: 'Write', input: { file_path }, cwd }
    expect(verdictOn(call, rules, { ...context, place: { ...context.place, files } }).effect).toBe(effect)
  })

  test('may lie in a folder that is itself inside a guarded one', () => {
    const rules = [{ id: 'a', effect: 'allow', tool: 'Write', path: '/work/.claude/notes' }]
    expect(on('Write', { file_path: '/work/.claude/notes/a.md' }, rules)).toBe('allow')
  })
})

describe('a path that a command names', () => {
  const KEYS = rulesOf([{ id: 'keys', effect: 'deny', path: ['~/.ssh', '/etc'], because }])

  test.each([
    ['cat ~/.ssh/id', 'deny'],
    ['cat $HOME/.ssh/id', 'deny'],
    ['cat "${HOME}/.ssh/id"', 'deny'],
    ['cat /home/me/.ssh/id', 'deny'],
    ['cat /etc/hosts', 'deny'],
    ['cat ~/notes', 'none'],
    ['cat /work/a', 'none'],
  ])('%s: %s', (line, effect) => {
    expect(effectOn(line, KEYS)).toBe(effect)
  })

  test('is looked for where the rule has a star', () => {
    const rules = rulesOf([{ id: 'd', effect: 'deny', path: ['/etc/*', '*.env'], because }])
    expect(effectOn('cat /etc/hosts', rules)).toBe('deny')
    expect(effectOn('cat src/.env', rules)).toBe('deny')
    expect(effectOn('grep --file=.env x', rules)).toBe('deny')
    expect(effectOn('cat .env.md', rules)).toBe('none')
  })

  test.each([
    ['cat ../keys/a', '/code/web/src', 'deny'],
    ['cat keys/a', '/code/web/src', 'none'],
    ['cd src && cat ../keys/a', '/code/web', 'deny'],
    ['cd src; cat keys/a', '/code/web', 'deny'],
    ['cat ke?s/a', '/code/web', 'deny'],
    ['cd src && cat ../k*/*', '/code/web', 'deny'],
    ['cat s*/a', '/code/web', 'none'],
  ])('counts from where the shell is: %s in %s: %s', (line, folder, effect) => {
    const context = aContext()
    const files = paperDisk({ '/code/web/keys/a': '', '/code/web/src/a': '' })
    const place = { ...context.place, files }
    const rules = rulesOf([{ id: 'd', effect: 'deny', path: 'keys', because }])
    expect(verdictOn(bash(line, folder), rules, { ...context, place }).effect).toBe(effect)
  })

  test('could be any where the command is no text', () => {
    expect(on('Bash', { command: 1 }, [{ id: 'd', effect: 'deny', path: '/etc', because }])).toBe('deny')
  })

  test('is found without a home folder too', () => {
    const context = aContext({ userHome: undefined })
    expect(effectOn('cat /etc/hosts', KEYS, context)).toBe('deny')
    expect(effectOn('cat ~/notes', KEYS, context)).toBe('none')
  })
})

const hostRules = (effect: string) => [
  { id: 'h', effect, tool: ['WebFetch', 'Other'], host: ['a.example', '*.B.example'], because },
]

const fetching = (url: unknown, effect = 'allow') => on('WebFetch', { url }, hostRules(effect))

describe('a host', () => {
  test('is one of those that the rule names, in any case', () => {
    expect(fetching('https://a.example/x')).toBe('allow')
    expect(fetching('https://X.b.EXAMPLE/')).toBe('allow')
    expect(fetching('https://c.example/')).toBe('none')
  })

  test('is the same with a dot at its end', () => {
    expect(fetching('https://a.example./x', 'deny')).toBe('deny')
    expect(fetching('https://x.b.example.:8443/', 'deny')).toBe('deny')
  })

  test('that is not known is asked about by a rule that refuses', () => {
    expect(fetching('no address', 'deny')).toBe('ask')
    expect(fetching(undefined, 'deny')).toBe('ask')
    expect(fetching('no address')).toBe('none')
  })

  test('is no condition that another tool could meet', () => {
    expect(on('Other', { url: 'https://a.example' }, hostRules('deny'))).toBe('none')
    expect(on('Other', { url: 'https://a.example' }, hostRules('allow'))).toBe('none')
  })
})

const mcpEffect = (mcp: object, toolName: string) => on(toolName, {}, [{ id: 'm', effect: 'allow', mcp }])

test('a server of MCP is named with its tools, or with all of them', () => {
  expect(mcpEffect({ server: 'a' }, 'mcp__a__any')).toBe('allow')
  expect(mcpEffect({ server: 'a', tool: ['x', 'read_*'] }, 'mcp__a__read_b')).toBe('allow')
  expect(mcpEffect({ server: 'a', tool: ['x', 'read_*'] }, 'mcp__a__y')).toBe('none')
  expect(mcpEffect({ server: 'a' }, 'mcp__ab__any')).toBe('none')
  expect(mcpEffect({ server: 'a' }, 'Read')).toBe('none')
})

test('all conditions of a rule must hold, and one that is not known makes it unsure', () => {
  const rules = [{ id: 'd', effect: 'deny', tool: 'WebFetch', host: 'a.example', folder: '/work', because }]
  const fetch = (url: string, folder?: string) =>
    verdictOn({ toolName: 'WebFetch', input: { url }, cwd: folder }, rulesOf(rules))
  expect(fetch('https://a.example', '/work').effect).toBe('deny')
  expect(fetch('https://a.example', '/code/web').effect).toBe('none')
  expect(fetch('https://a.example').effect).toBe('ask')
  expect(fetch('https://b.example').effect).toBe('none')
})

test('a session is named by its id or by its name', () => {
  const rules = rulesOf([{ id: 's', effect: 'allow', command: 'make', session: ['s1', 'other'] }])
  const named = (session: object) =>
    effectOn('make', rules, aContext({ sessions: [{ id: 'x', ...session }] }))
  expect([named({ id: 's1' }), named({ name: 'other' }), named({}), named({ name: 's2' })]).toEqual([
    'allow',
    'allow',
    'none',
    'none',
  ])
})

test('names of tools may have a star, stand in one text, and have spaces around them', () => {
  const rules = rulesOf([{ id: 't', effect: 'deny', tool: ['Read | Grep', 'mcp__*'], because }])
  const effect = (toolName: string) => verdictOn({ toolName, input: {}, cwd }, rules).effect
  expect(['Read', 'Grep', 'mcp__a__b', 'Glob', ' Grep'].map(effect)).toEqual([
    'deny',
    'deny',
    'deny',
    'none',
    'none',
  ])
})

describe('without the folder of the shell', () => {
  const RULES = rulesOf([
    { id: 'a', effect: 'allow', command: ['make', './make', 'cd *', 'cat'], redirect: 'inside' },
  ])
  const effect = (line: string) => verdictOn({ ...bash(line), cwd: undefined }, RULES).effect

  test.each([
    ['make', 'allow'],
    ['make > /dev/null', 'allow'],
    ['make > log.txt', 'none'],
    ['make > /dev/null 2> log.txt', 'none'],
    ['cat < log.txt', 'none'],
    ['./make', 'none'],
    ['cd src', 'none'],
    ['make; cd src', 'none'],
  ])('%s: %s', (line, expected) => {
    expect(effect(line)).toBe(expected)
  })

  test('a command in a folder that does not exist is not allowed', () => {
    expect(verdictOn(bash('make', '/gone'), RULES).effect).toBe('none')
    expect(verdictOn(bash('make', '/code/web/src'), RULES).effect).toBe('allow')
  })
})

test('a harmless command beside an allowed one needs no rule, unless that is switched off', () => {
  const rules = rulesOf([{ id: 'a', effect: 'allow', command: 'make' }])
  expect(effectOn('make && pwd', rules)).toBe('allow')
  expect(effectOn('make && pwd', rules, aContext({ harmlessIsAllowed: false }))).toBe('none')
  expect(effectOn('pwd', rules)).toBe('none')
})
