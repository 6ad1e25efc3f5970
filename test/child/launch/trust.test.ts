import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { foldersIn, isTrusted, notLoaded, readTrustRecord } from '../../../src/child/launch/trust.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plexus-trust-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function put(path: string, text = ''): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const trusting = (dir: string) => JSON.stringify({ projects: { [dir]: { hasTrustDialogAccepted: true } } })

describe('a folder is trusted', () => {
  const accepted = { hasTrustDialogAccepted: true }
  it('when a person said so to the CLI, for it or for a folder above it', () => {
    const record = { projects: { '/a/b': accepted } }
    expect(isTrusted('/a/b', record)).toBe(true)
    expect(isTrusted('/a/b/c/d', record)).toBe(true)
    expect(isTrusted('/a', record)).toBe(false)
    expect(isTrusted('/a/bc', record)).toBe(false)
  })

  it('when the root is', () => {
    expect(isTrusted('/a/b', { projects: { '/': accepted } })).toBe(true)
  })

  it('when a person said so to us', () => {
    expect(isTrusted('/a/b', { projects: {} }, ['/a'])).toBe(true)
    expect(isTrusted('/b', { projects: {} }, ['/a'])).toBe(false)
  })

  it.each([{ hasTrustDialogAccepted: false }, { hasTrustDialogAccepted: 'true' }, {}, true, null, 'yes'])(
    'but not by the entry %j',
    (entry) => expect(isTrusted('/a', { projects: { '/a': entry } })).toBe(false),
  )

  it('and is listed when a person said so to the CLI', () => {
    const projects = { '/a/b': accepted, '/c': { hasTrustDialogAccepted: false }, '/d': accepted, '/e': null }
    expect(foldersIn({ projects })).toEqual(['/a/b', '/d'])
  })

  it('but not by something every object has, and not as a relative path', () => {
    expect(isTrusted('/__proto__', { projects: {} })).toBe(false)
    expect(isTrusted('a', { projects: { a: accepted, '.': accepted } })).toBe(false)
  })
})

describe('the record of the CLI', () => {
  it('lies in the home folder', async () => {
    put('.claude.json', trusting('/a'))
    expect(isTrusted('/a', readTrustRecord({ HOME: root, CLAUDE_CONFIG_DIR: '' }))).toBe(true)
  })

  it('lies in the config folder where one is set', async () => {
    put('.claude.json', trusting('/home'))
    put('config/.claude.json', trusting('/config'))
    const record = readTrustRecord({ HOME: root, CLAUDE_CONFIG_DIR: join(root, 'config') })
    expect([isTrusted('/config', record), isTrusted('/home', record)]).toEqual([true, false])
  })

  it('is an older file where that still exists, as it is for the CLI', async () => {
    put('.claude.json', trusting('/new'))
    put('.claude/.config.json', trusting('/old'))
    const record = readTrustRecord({ HOME: root })
    expect([isTrusted('/old', record), isTrusted('/new', record)]).toEqual([true, false])
  })

  it.each([
    '',
    '{',
    'null',
    '[]',
    '7',
    '{"projects":[]}',
    '{"projects":7}',
    '{"projects":null}',
    '{"projects":{"/a":7}}',
  ])('trusts nothing when it holds %j, and stays as it is', async (text) => {
    put('.claude.json', text)
    expect(isTrusted('/a', readTrustRecord({ HOME: root }))).toBe(false)
    expect(readFileSync(join(root, '.claude.json'), 'utf8')).toBe(text)
  })

  it('keeps what makes sense beside what does not', async () => {
    put('.claude.json', '{"projects":{"/a":7,"/b":{"hasTrustDialogAccepted":true}},"x":[1]}')
    expect(isTrusted('/b', readTrustRecord({ HOME: root }))).toBe(true)
  })

  it('trusts nothing when there is none, or a folder in its place', async () => {
    expect(readTrustRecord({ HOME: root })).toEqual({ projects: {} })
    expect(readTrustRecord({})).toEqual({ projects: {} })
    mkdirSync(join(root, '.claude.json'))
    expect(readTrustRecord({ HOME: root })).toEqual({ projects: {} })
  })
})

describe('what is not loaded in an untrusted folder', () => {
  it('is what lies in it and above it in its repository', async () => {
    put('CLAUDE.md')
    put('repo/.git/HEAD')
    put('repo/CLAUDE.md')
    put('repo/.claude/agents/a.md')
    put('repo/app/.mcp.json')
    put('repo/app/.claude/settings.json')
    put('repo/app/src/x.ts')
    expect(notLoaded(join(root, 'repo/app')).toSorted()).toEqual([
      '../.claude/agents',
      '../CLAUDE.md',
      '.claude/settings.json',
      '.mcp.json',
    ])
  })

  it('is only what lies in it where there is no repository', async () => {
    put('CLAUDE.md')
    put('app/.claude/settings.local.json')
    expect(notLoaded(join(root, 'app'))).toEqual(['.claude/settings.local.json'])
  })

  it('knows a worktree by its .git file', async () => {
    put('CLAUDE.md')
    put('tree/.git', 'gitdir: x')
    put('tree/app/x')
    put('tree/.claude/skills/s/SKILL.md')
    expect(notLoaded(join(root, 'tree/app'))).toEqual(['../.claude/skills'])
  })

  it("is never the user's own config, which is loaded everywhere", async () => {
    put('.git/HEAD')
    put('.claude/settings.json')
    put('CLAUDE.md')
    put('app/x')
    expect(notLoaded(join(root, 'app'), { HOME: root })).toEqual(['../CLAUDE.md'])
    const elsewhere = { HOME: root, CLAUDE_CONFIG_DIR: join(root, 'config') }
    expect(notLoaded(join(root, 'app'), elsewhere)).toEqual(['../CLAUDE.md', '../.claude/settings.json'])
  })

  it('is a memory file too where there is no .claude folder', async () => {
    put('CLAUDE.md')
    expect(notLoaded(root)).toEqual(['CLAUDE.md'])
  })

  it('is nothing in an empty folder', async () => {
    expect(notLoaded(root)).toEqual([])
  })
})
