import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cliPath, cliVersion, isWithoutCli } from '../../rig/cli/real-cli.ts'
import { findCli, MINIMUM_CLI } from '../../../src/child/launch/find-cli.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'plexus-cli-')))
})
afterEach(() => rmSync(root, { recursive: true }))

/** A small program in place of the CLI. */
function program(path: string, text: string, mode = 0o755): string {
  const full = join(root, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, text)
  chmodSync(full, mode)
  return full
}

const answering = (version: string) => `#!/bin/sh\n[ "$1" = --version ] && echo '${version} (Claude Code)'\n`
const cli = (path: string, version = '2.1.325') => program(path, answering(version))
/** An environment in which nothing is found but what the test puts into the root. */
const env = (more: Record<string, string>) => ({ HOME: join(root, 'home'), PATH: join(root, 'bin'), ...more })
const find = (more: Record<string, string>, timeoutMs = 30_000) =>
  findCli(env(more), { timeoutMs, systemFolders: [] })
const atPath = (path: string) => find({ CLAUDE_CODE_PATH: path })
const complaint = async (found: Promise<unknown>) => {
  const error = await found.then(
    () => new Error('it was found'),
    (reason: unknown) => reason,
  )
  expect(error).toMatchObject({ code: 'cli_missing' })
  return error instanceof Error ? error.message : ''
}

describe('the CLI is found', () => {
  it('where CLAUDE_CODE_PATH says, before all else', async () => {
    cli('bin/claude')
    const path = cli('else/where', '3.0.0')
    expect(await atPath(path)).toEqual({ path, version: '3.0.0' })
  })

  it('through a link, under the name that was given', async () => {
    cli('real')
    symlinkSync(join(root, 'real'), join(root, 'link'))
    expect(await atPath(join(root, 'link'))).toEqual({ path: join(root, 'link'), version: '2.1.325' })
  })

  it('in PATH, in its order', async () => {
    const path = cli('one/claude')
    cli('two/claude')
    expect(await find({ PATH: `relative::${join(root, 'one')}:${join(root, 'two')}` })).toMatchObject({
      path,
    })
  })

  it('in no folder of PATH that depends on where one stands', async () => {
    cli('one/claude')
    const PATH = relative(process.cwd(), join(root, 'one'))
    expect(await complaint(find({ PATH }))).toMatch(/not found/)
  })

  it.each(['.local/bin', '.claude/local', '.npm-global/bin'])(
    'in ~/%s when PATH has none',
    async (folder) => {
      const path = cli(`home/${folder}/claude`)
      expect(await find({})).toMatchObject({ path })
    },
  )

  it("in the login shell's PATH, whatever its profile prints", async () => {
    const path = cli('odd/claude')
    const SHELL = program(
      'shell',
      `#!/bin/sh\n[ "$1 $2" = "-lc command -v claude" ] && printf 'Welcome\\n%s\\n' '${path}'\n`,
    )
    expect(await find({ SHELL })).toMatchObject({ path })
  })

  it('after an old one', async () => {
    cli('bin/claude', '1.0.0')
    const path = cli('home/.local/bin/claude')
    expect(await find({})).toMatchObject({ path })
  })

  it(`from version ${MINIMUM_CLI} on, counted as numbers`, async () => {
    for (const version of [MINIMUM_CLI, '2.1.1000', '2.2.0', '10.0.0'])
      expect(await atPath(cli(`v${version}`, version))).toMatchObject({ version })
  })

  it('with the node that lies beside it, and without what the environment holds otherwise', async () => {
    program('npm/node', '#!/bin/sh\necho "2.1.325 (Claude Code)"\n')
    const path = program('npm/claude', '#!/usr/bin/env node\n')
    expect(await find({ PATH: '/usr/bin:/bin', CLAUDE_CODE_PATH: path })).toMatchObject({
      version: '2.1.325',
    })
    const nosy = program('nosy', `#!/bin/sh\n[ -z "$SECRET" ] && echo '2.1.325 (Claude Code)'\n`)
    expect(await find({ SECRET: 'x', CLAUDE_CODE_PATH: nosy })).toMatchObject({ path: nosy })
  })

  it('again after it was replaced', async () => {
    const path = cli('claude', '2.1.300')
    expect(await atPath(path)).toMatchObject({ version: '2.1.300' })
    cli('claude', '2.1.301')
    utimesSync(path, 1, 1)
    expect(await atPath(path)).toMatchObject({ version: '2.1.301' })
  })

  it.skipIf(isWithoutCli)('by its real answer', async () => {
    const path = cliPath()
    expect(await find({ CLAUDE_CODE_PATH: path })).toEqual({ path, version: cliVersion() })
  })
})

describe('one sentence says why the CLI was not found', () => {
  it('set but missing', async () => {
    expect(await complaint(atPath(join(root, 'gone')))).toMatch(
      /gone does not exist; install .* or set CLAUDE_CODE_PATH/,
    )
  })

  it('set to a folder, or to a file that may not be run', async () => {
    mkdirSync(join(root, 'folder'))
    expect(await complaint(atPath(join(root, 'folder')))).toMatch(/folder is not a program/)
    expect(await complaint(atPath(program('text', answering('2.1.325'), 0o644)))).toMatch(
      /text is not a program/,
    )
  })

  it('set to a file that is no program, or one for an interpreter that is not there', async () => {
    expect(await complaint(atPath(program('notes', 'Dear diary\n')))).toMatch(
      /notes (cannot be run|does not answer)/,
    )
    expect(await complaint(atPath(program('lost', '#!/no/such/shell\n')))).toMatch(
      /lost cannot be run \(ENOENT\)/,
    )
  })

  it('another program', async () => {
    expect(await complaint(atPath(program('other', '#!/bin/sh\necho 9.9.9\n')))).toMatch(
      /does not answer --version as/,
    )
    const failing = program('failing', '#!/bin/sh\necho "2.1.325 (Claude Code)"; exit 1\n')
    expect(await complaint(atPath(failing))).toMatch(/does not answer --version as/)
  })

  it('a program that says itself what is wrong with it', async () => {
    const stub = program('stub', '#!/bin/sh\necho "Error: not installed." >&2\necho more >&2\nexit 1\n')
    expect(await complaint(atPath(stub))).toMatch(/but says "Error: not installed\."; repair it/)
  })

  it.each(['2.1.196', '2.0.999', '1.9.9'])('too old: %s', async (version) => {
    expect(await complaint(atPath(cli('old', version)))).toMatch(
      new RegExp(`is Claude Code ${version}, but ${MINIMUM_CLI} or later is needed`),
    )
  })

  it('an old one in PATH, and no other', async () => {
    cli('bin/claude', '1.0.0')
    expect(await complaint(find({}))).toMatch(/is Claude Code 1\.0\.0/)
  })

  it('an old one after a stub that is broken, which nobody chose', async () => {
    program('stubs/claude', '#!/bin/sh\necho "Error: not installed." >&2\nexit 1\n')
    cli('bin/claude', '1.0.0')
    const PATH = `${join(root, 'stubs')}:${join(root, 'bin')}`
    expect(await complaint(find({ PATH }))).toMatch(/bin\/claude is Claude Code 1\.0\.0/)
    const spare = cli('spare/claude')
    expect(await find({ PATH, PLEXUS_SPARE_CLI: spare })).toMatchObject({ path: spare })
  })

  it('no answer', async () => {
    const path = program('silent', '#!/bin/sh\nsleep 600\n')
    const found = find({ CLAUDE_CODE_PATH: path, PATH: '/usr/bin:/bin' }, 300)
    expect(await complaint(found)).toMatch(/did not answer --version within 0\.3 s/)
  })

  it('nowhere', async () => {
    for (const SHELL of ['/no/such/shell', 'sh', program('mute', '#!/bin/sh\nexit 1\n'), ''])
      expect(await complaint(find({ SHELL }))).toMatch(
        /not found .*: install .* CLAUDE_CODE_PATH to its full path\.$/,
      )
  })

  it('is one line', async () => {
    expect(await complaint(atPath(join(root, 'gone')))).not.toContain('\n')
  })
})
