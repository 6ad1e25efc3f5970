import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import lock from '../../package-lock.json' with { type: 'json' }
import { ADDONS } from '../../scripts/build/sqlite-addons.mjs'
import { cloneInto, packIn } from '../rig/tools/clone.ts'

let clone = ''
/** Not below the clone: the development packages there must be of no use to it. */
let unpacked = ''
let files: string[] = []
const archive = () => join(clone, `${manifest.name}-${manifest.version}.tgz`)
const packed = (path: string) => join(unpacked, 'package', path)
const textOf = (path: string) => readFileSync(packed(path), 'utf8')

beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'plexus-test-pack-'))
  await cloneInto(clone)
  const { status, stderr } = packIn(clone)
  if (status !== 0) throw new Error(stderr)
  unpacked = await mkdtemp(join(tmpdir(), 'plexus-test-unpacked-'))
  execFileSync('tar', ['-xzf', archive()], { cwd: unpacked })
  files = readdirSync(packed(''), { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(packed(file)).isFile())
    .toSorted()
})
afterAll(() => {
  for (const folder of [clone, unpacked]) rmSync(folder, { recursive: true, force: true })
})

test('a clean clone packs the program, its pages and its examples, and nothing of development', () => {
  const { stdout } = spawnSync(process.execPath, [packed('dist/main.js'), '--version'], { encoding: 'utf8' })
  expect(stdout).toBe(`${manifest.version}\n`)
  expect(files).toContain('dist/page/index.html')
  const kinds = new Set(files.map((file) => file.replace(/^(dist|docs|examples)\/.*/, '$1')))
  const alone = ['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'bench/README.md', 'package.json']
  expect([...kinds].toSorted()).toEqual([...alone, 'dist', 'docs', 'examples'].toSorted())
})

test('a build that fails fails npm pack, and leaves no package', () => {
  const main = join(clone, 'src/main.ts')
  const text = readFileSync(main, 'utf8')
  execFileSync('mv', [archive(), `${archive()}.good`])
  writeFileSync(main, `import './nothing.ts'\n${text}`)
  expect(packIn(clone).status).not.toBe(0)
  expect(existsSync(archive())).toBe(false)
  writeFileSync(main, text)
  execFileSync('mv', [`${archive()}.good`, archive()])
})

test('the package has no dependency and no script that an install would run', () => {
  const published = JSON.parse(textOf('package.json')) as Record<string, object>
  expect(Object.keys(published).filter((key) => /dependencies$/i.test(key))).toEqual(['devDependencies'])
  const scripts = Object.keys(published['scripts'] ?? {})
  expect(scripts.filter((name) => /install|^prepare|^dependencies/.test(name))).toEqual([])
  expect(files.filter((file) => file.endsWith('.gyp'))).toEqual([])
})

test('every install script among the development packages is denied', () => {
  const withScript = Object.entries(lock.packages)
    .filter(([, entry]) => 'hasInstallScript' in entry)
    .map(([path]) => path.replace(/.*node_modules\//, ''))
  expect(manifest.allowScripts).toEqual(Object.fromEntries(withScript.map((name) => [name, false])))
})

/** The kind of machine that a compiled file says it is for: the fields of ELF and of Mach-O. */
function machineOf(file: Buffer): string {
  const name = { 0x3e: 'x64', 0xb7: 'arm64', 0x1000007: 'x64', 0x100000c: 'arm64' } as Record<number, string>
  if (file.readUInt32LE(0) === 0xfeedfacf) return `darwin-${name[file.readUInt32LE(4)]}`
  const libc = file.includes('libc.musl-') ? 'musl' : 'glibc'
  return file.toString('latin1', 1, 4) === 'ELF' ? `linux-${name[file.readUInt16LE(18)]} ${libc}` : 'unknown'
}

test('SQLite is there for Linux with glibc and with musl and for macOS, each file for the machine that its path says', () => {
  expect(files.filter((file) => file.endsWith('.node'))).toEqual(
    ADDONS.map((path) => `dist/sqlite/${path}`).toSorted(),
  )
  expect(ADDONS.map((path) => machineOf(readFileSync(packed(`dist/sqlite/${path}`)))).toSorted()).toEqual([
    'darwin-arm64',
    'darwin-x64',
    'linux-arm64 glibc',
    'linux-arm64 musl',
    'linux-x64 glibc',
    'linux-x64 musl',
  ])
})

test('the licence of all that is inside is there', () => {
  const licences = textOf('dist/LICENSES.txt')
  for (const name of [
    '@photostructure/sqlite',
    'node-addon-api',
    'zod',
    'unbash',
    '@modelcontextprotocol/server',
  ])
    expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\\n\\n\\S`, 'm'))
  expect(licences).toContain('PhotoStructure')
  expect(textOf('dist/page/LICENSES.txt')).toMatch(/^preact \d/m)
})

/** Links to files, without what follows `#`. */
function deadLinksOf(page: string): string[] {
  const links = [...textOf(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, path = '']) => path)
  const targets = links.filter((path) => !/^[a-z]+:/.test(path)).map((path) => join(dirname(page), path))
  return targets.filter((path) => !existsSync(packed(path)))
}

test('no link of the README in the package is dead, and those of its pages only where they lead into the source', () => {
  expect(deadLinksOf('README.md')).toEqual([])
  const pages = files.filter((file) => file.endsWith('.md'))
  expect(pages.flatMap(deadLinksOf).filter((path) => !/^(test|src)\//.test(path))).toEqual([])
})

/** As a page says it, in MB. */
const withinATwentieth = (said: string | undefined, bytes: number) =>
  Math.abs(Number(said) * 1e6 - bytes) < bytes / 20

test('docs/INSTALL.md says how large the package is', () => {
  const [, download, onDisk] =
    /The package is ([\d.]+) MB to download and ([\d.]+) MB on disk/.exec(textOf('docs/INSTALL.md')) ?? []
  const bytesOnDisk = files.reduce((sum, file) => sum + statSync(packed(file)).size, 0)
  expect([download, withinATwentieth(download, statSync(archive()).size)]).toEqual([download, true])
  expect([onDisk, withinATwentieth(onDisk, bytesOnDisk)]).toEqual([onDisk, true])
})

test.skipIf(isBuiltin('node:sqlite'))(
  'where the file for this platform is missing, one sentence names the Node to use',
  () => {
    const env = { PATH: '/usr/bin:/bin', HOME: unpacked }
    const sqlite = packed(`dist/sqlite/${process.platform}-${process.arch}`)
    execFileSync('mv', [sqlite, `${sqlite}.away`])
    const args = [packed('dist/main.js'), 'serve', '--port', '0', '--home', join(unpacked, 'home')]
    const without = spawnSync(process.execPath, args, { env, encoding: 'utf8', timeout: 20_000 })
    execFileSync('mv', [`${sqlite}.away`, sqlite])
    expect(without.status).toBe(1)
    expect(without.stderr).toMatch(
      /^plexus: Node \S+ has no SQLite, and Plexus brings none for \S+ \S+( \(\S+\))?; use Node 22\.13 or later, which has its own\.\n$/,
    )
  },
)
