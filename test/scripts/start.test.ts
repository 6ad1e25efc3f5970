import { execFileSync } from 'node:child_process'
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { installedCli, platformPackages } from '../../scripts/installed-cli.mjs'
import { programPath } from '../rig/tools/build-programs.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'

const scripts = join(import.meta.dirname, '../../scripts')

/** A project whose program tells what it was started with, and what else lies in its folder. */
async function project(...programs: string[]): Promise<string> {
  const root = await temporaryFolder()
  for (const name of ['start.mjs', 'installed-cli.mjs'])
    await cp(join(scripts, name), join(root, 'scripts', name))
  const tell = 'console.log(JSON.stringify([process.env.CLAUDE_CODE_PATH ?? null, process.argv.slice(1)]))'
  for (const [path, text] of [
    ['package.json', '{"type":"module"}'],
    ['scripts/setup.mjs', ''],
    ['dist/main.js', tell],
    ...programs.map((program) => [program, '']),
  ] as const) {
    await mkdir(dirname(join(root, path ?? '')), { recursive: true })
    await writeFile(join(root, path ?? ''), text ?? '')
    await chmod(join(root, path ?? ''), 0o755)
  }
  return root
}

function start(root: string, env: Record<string, string>, ...args: string[]): [string | null, string[]] {
  const script = join(root, 'scripts/start.mjs')
  return JSON.parse(execFileSync(process.execPath, [script, ...args], { encoding: 'utf8', env }))
}

const INSTALLED = `node_modules/${platformPackages[0]}/claude`

test('who has no CLI of their own gets the installed one, and the hub', async () => {
  const root = await project(INSTALLED, 'node_modules/.bin/claude')
  const PATH = `${join(root, 'node_modules/.bin')}:${join(root, 'nowhere')}`
  expect(start(root, { PATH })).toEqual([join(root, INSTALLED), [join(root, 'dist/main.js'), 'serve']])
  expect(installedCli(root)).toBe(join(root, INSTALLED))
})

test('on an older Node both the scripts and the program say so in one sentence', async () => {
  const older = join(await temporaryFolder(), 'older.cjs')
  const versions = '{ ...process.versions, node: "18.20.8" }'
  await writeFile(older, `Object.defineProperty(process, 'versions', { value: ${versions} })`)
  for (const program of [join(scripts, 'start.mjs'), programPath('plexus')])
    expect(() =>
      execFileSync(process.execPath, ['--require', older, program, 'demo'], { stdio: 'pipe' }),
    ).toThrow(
      /\n(plexus: )?Plexus needs Node 20\.19 or later, and this is Node 18\.20\.8; install a newer one\.\n$/,
    )
})

test('arguments are passed on, as they are', async () => {
  const root = await project(INSTALLED)
  expect(start(root, {}, 'start', '-- a b')[1]).toEqual([join(root, 'dist/main.js'), 'start', '-- a b'])
})

test('flags alone are those of the hub, but for those of the program', async () => {
  const root = await project(INSTALLED)
  const main = join(root, 'dist/main.js')
  expect(start(root, {}, '--port', '0')[1]).toEqual([main, 'serve', '--port', '0'])
  for (const flag of ['--help', '-h', '--version', '-v'])
    expect(start(root, {}, flag)[1]).toEqual([main, flag])
})

test('a CLI in PATH, or one that was named, stays the one to use', async () => {
  const root = await project(INSTALLED, 'bin/claude')
  expect(start(root, { PATH: `/nowhere:${join(root, 'bin')}` })[0]).toBeNull()
  expect(start(root, { CLAUDE_CODE_PATH: '/my/claude' })[0]).toBe('/my/claude')
})

test('what cannot be run is no CLI, and where none is installed Plexus says so itself', async () => {
  const root = await project('bin/claude')
  await chmod(join(root, 'bin/claude'), 0o644)
  expect(start(root, { PATH: join(root, 'bin') })[0]).toBeNull()
  expect(installedCli(root)).toBeUndefined()
  await mkdir(dirname(join(root, INSTALLED)), { recursive: true })
  await writeFile(join(root, INSTALLED), '')
  expect(start(root, { PATH: join(root, 'bin') })[0]).toBe(join(root, INSTALLED))
})
