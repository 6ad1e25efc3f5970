// npm run bundles: everything that is published, in the folder `bundles`: the package, and from what is in it the MCPB
// bundle, the entry of the MCP registry, and the Claude Code plugin with its marketplace.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  marketplaceManifest,
  mcpbManifest,
  pluginManifest,
  pluginServers,
  serverEntry,
  terminalsHooks,
  terminalsManifest,
} from './bundles/manifests.mjs'
import { fetchedPackage } from './fetched-package.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const MCPB = ['@anthropic-ai/mcpb', '2.1.2']
const bundles = join(root, 'bundles')
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))
const manifest = readJson(join(root, 'package.json'))

/** Where each of them is. */
export const paths = {
  package: join(bundles, `${manifest.name}-${manifest.version}.tgz`),
  mcpb: join(bundles, `${manifest.name}-${manifest.version}.mcpb`),
  serverEntry: join(bundles, 'server.json'),
  marketplace: join(bundles, 'marketplace'),
  plugin: join(bundles, 'marketplace/plexus'),
  terminals: join(bundles, 'marketplace/plexus-terminals'),
}

export function makeBundles() {
  rmSync(bundles, { recursive: true, force: true })
  mkdirSync(bundles)
  run('npm', ['pack', '--pack-destination', bundles])
  const unpacked = join(bundles, '.unpacked')
  mkdirSync(unpacked)
  run('tar', ['-xzf', paths.package, '-C', unpacked])
  const packed = join(unpacked, 'package')

  writeJson(paths.serverEntry, serverEntry(manifest))
  writeJson(join(paths.marketplace, '.claude-plugin/marketplace.json'), marketplaceManifest(manifest))
  writeJson(join(paths.plugin, '.claude-plugin/plugin.json'), pluginManifest(manifest))
  writeJson(join(paths.plugin, '.mcp.json'), pluginServers())
  copyProgram(packed, paths.plugin)
  cpSync(join(root, 'scripts/bundles/supervise.md'), join(paths.plugin, 'skills/supervise/SKILL.md'))

  makeTerminalsPlugin(paths.terminals, join(packed, 'dist/main.js'))

  const stage = join(unpacked, 'mcpb')
  copyProgram(packed, stage)
  const { tools, toolsets } = readJson(join(root, 'src/transports/mcp/tool-table.json'))
  const offered = tools.filter(({ name }) => toolsets.claude.tools.includes(name))
  writeJson(join(stage, 'manifest.json'), mcpbManifest(manifest, offered))
  run(process.execPath, [mcpbProgram(), 'pack', stage, paths.mcpb])
  rmSync(unpacked, { recursive: true })
}

/** The relay is that of the program: `plexus terminals on --print` prints it. */
export function makeTerminalsPlugin(folder, program) {
  const args = [program, 'terminals', 'on', '--print', '--json', '--home', '/nowhere']
  const printed = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: '/nowhere' },
  })
  if (printed.status !== 0) throw new Error(`The relay could not be printed: ${printed.stderr}`)
  writeJson(join(folder, '.claude-plugin/plugin.json'), terminalsManifest(manifest))
  writeJson(join(folder, 'hooks/hooks.json'), terminalsHooks())
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/terminal-relay.sh'), JSON.parse(printed.stdout).relay)
  const ask = readFileSync(join(root, 'scripts/bundles/terminals-ask.sh'))
  writeFileSync(join(folder, 'bin/ask'), ask, { mode: 0o755 })
}

function copyProgram(from, to) {
  for (const part of ['dist', 'LICENSE']) cpSync(join(from, part), join(to, part), { recursive: true })
}

function writeJson(path, value) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}

/** The program of those who made the format; it refuses a manifest that is not valid. */
export function mcpbProgram() {
  const [name, version] = MCPB
  return join(fetchedPackage(join(root, '.cache/mcpb', version), name, version), 'dist/cli/cli.js')
}

/** What it prints is of interest only when it fails. */
function run(command, args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${error?.message ?? stdout + stderr}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  makeBundles()
  console.log(Object.values(paths).join('\n'))
}
