import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ALLOW_RULES } from '../../../src/setup/clients/allow-rules.ts'
import { type Client, CLIENTS, clientNamed } from '../../../src/setup/clients/client-table.ts'
import { entryIn, withEntry } from '../../../src/setup/clients/client-entry.ts'
import { fileOf } from '../../../src/setup/clients/configured-clients.ts'
import {
  planInstall,
  planRules,
  planRulesRemoval,
  planUninstall,
} from '../../../src/setup/clients/plan-changes.ts'
import { applyChanges, backupPath } from '../../../src/setup/files/file-change.ts'
import { withMember } from '../../../src/setup/files/jsonc-edit.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'
import { servers, settings, text } from '../files/any-jsonc.ts'

const WORDS = ['/bin/node', '/plexus/dist/main.js', 'mcp'] as const
const OLD_WORDS = ['/bin/node', '/old/main.js', 'mcp'] as const

async function machine() {
  const place = { env: { HOME: await temporaryFolder() }, platform: 'linux' } as const
  return {
    place,
    install: (client: Client, words: readonly [string, ...string[]] = WORDS) =>
      applyChanges(planInstall(client, place, words)),
    uninstall: (client: Client) => applyChanges(planUninstall(client, place)),
    file: (client: Client) => fileOf(client, place),
    write: (client: Client, content: string) => {
      const path = fileOf(client, place)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
      return path
    },
  }
}

test.each(CLIENTS)(
  'install and uninstall of $name gives the very bytes back, also after an update',
  async (client) => {
    const { install, uninstall, write, file } = await machine()
    const files =
      client.format === 'toml'
        ? fc.constantFrom(
            '',
            '\n',
            'model = "x"',
            '# c\r\n[a]\r\nb = 1 # d\r\n',
            '[mcp_servers.a]\nurl = "x"\n',
          )
        : text(settings(servers, client.servers))
    fc.assert(
      fc.property(fc.oneof(files, fc.constant('')), fc.boolean(), (before, isUpdated) => {
        const path = write(client, before)
        if (isUpdated) install(client, OLD_WORDS)
        install(client)
        expect(readFileSync(backupPath(path), 'utf8')).toBe(before)
        uninstall(client)
        expect(readFileSync(path, 'utf8')).toBe(before)
      }),
      { numRuns: 20 },
    )
    expect(readdirSync(dirname(file(client))).filter((name) => name.includes('backup'))).toEqual([])
  },
)

test.each(CLIENTS)('$name has no file before, so it has none after', async (client) => {
  const { install, uninstall, file } = await machine()
  install(client)
  expect(statSync(file(client)).mode & 0o777).toBe(0o600)
  uninstall(client)
  expect(readdirSync(dirname(file(client)))).toEqual([])
})

test.each(CLIENTS)('a second install of $name changes nothing', async (client) => {
  const { place, install } = await machine()
  install(client)
  expect(planInstall(client, place, WORDS)).toEqual([])
  expect(planUninstall(client, place)).toHaveLength(1)
})

test('what another program has added meanwhile stays, and the container that we made stays only for it', async () => {
  const { install, uninstall, write } = await machine()
  const cursor = clientNamed('cursor')
  const path = write(cursor, '{\n  "a": 1\n}\n')
  install(cursor)
  writeFileSync(path, withMember(readFileSync(path, 'utf8'), ['later'], true))
  uninstall(cursor)
  expect(readFileSync(path, 'utf8')).toBe('{\n  "a": 1,\n  "later": true\n}\n')
  install(cursor)
  writeFileSync(path, withMember(readFileSync(path, 'utf8'), ['mcpServers', 'b'], {}))
  uninstall(cursor)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ a: 1, later: true, mcpServers: { b: {} } })
})

test('an entry that was made by hand is replaced, its file is kept as a copy, and it is removed', async () => {
  const { place, install, uninstall, write } = await machine()
  const vscode = clientNamed('vscode')
  const byHand = withEntry(vscode, '{\n\t// mine\n\t"inputs": []\n}\n', { url: 'http://127.0.0.1:4445/mcp' })
  const path = write(vscode, byHand)
  install(vscode)
  expect(readFileSync(backupPath(path), 'utf8')).toBe(byHand)
  expect(entryIn(vscode, readFileSync(path, 'utf8'))).toEqual(vscode.entry(WORDS))
  uninstall(vscode)
  expect(readFileSync(path, 'utf8')).toMatch(/^\{\n\t\/\/ mine\n\t"inputs": \[\],\n\t"servers": \{\}\n\}\n$/)
  expect(planUninstall(vscode, place)).toEqual([])
})

test('a copy that somebody has spoilt does no harm', async () => {
  const { install, uninstall, write } = await machine()
  const gemini = clientNamed('gemini')
  const path = write(gemini, '{ "a": 1 }')
  install(gemini)
  writeFileSync(backupPath(path), '{ "a')
  uninstall(gemini)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ a: 1, mcpServers: {} })
})

test.each(CLIENTS)(
  'a file of $name that cannot be read is refused with a sentence, and left alone',
  async (client) => {
    const { place, write } = await machine()
    const path = write(client, '{\n"a" = [')
    for (const plan of [() => planInstall(client, place, WORDS), () => planUninstall(client, place)])
      expect(plan).toThrow(/cannot be changed \(line \d\); correct that first, nothing was written\.$/)
    expect(readFileSync(path, 'utf8')).toBe('{\n"a" = [')
  },
)

test('a file that changes between what is shown and what is written is left alone', async () => {
  const { place, write } = await machine()
  const codex = clientNamed('codex')
  const path = write(codex, 'a = 1\n')
  const changes = planInstall(codex, place, WORDS)
  writeFileSync(path, 'a = 2\n')
  expect(() => applyChanges(changes)).toThrow('has changed meanwhile')
  expect([readFileSync(path, 'utf8'), readdirSync(dirname(path))]).toEqual(['a = 2\n', ['config.toml']])
})

test('a link to a file elsewhere stays a link, and its mode stays', async () => {
  const { place, install, uninstall, file } = await machine()
  const opencode = clientNamed('opencode')
  const path = file(opencode)
  mkdirSync(dirname(path), { recursive: true })
  const target = join(place.env.HOME, 'dotfiles.json')
  writeFileSync(target, '{}')
  chmodSync(target, 0o640)
  symlinkSync(target, path)
  install(opencode)
  expect([statSync(target).mode & 0o777, statSync(backupPath(path)).mode & 0o777]).toEqual([0o640, 0o640])
  expect(readFileSync(target, 'utf8')).toContain('plexus')
  uninstall(opencode)
  expect(readFileSync(target, 'utf8')).toBe('{}')
})

test('allow rules never let the model answer', () => {
  expect(ALLOW_RULES.filter((rule) => /respond|say|\*|plexus$/.test(rule))).toEqual([])
})

test('allow rules are added and removed to the byte; those that were there before stay', async () => {
  const { place } = await machine()
  const path = join(place.env.HOME, '.claude/settings.json')
  mkdirSync(dirname(path))
  const rules = fc.subarray(['Bash(ls)', ...ALLOW_RULES])
  const permissions = fc.oneof(fc.constant({}), fc.record({ allow: rules, deny: fc.constant(['Read(x)']) }))
  fc.assert(
    fc.property(text(settings(permissions, 'permissions')), (before) => {
      writeFileSync(path, before)
      const changes = planRules(place)
      applyChanges(changes)
      expect(planRules(place)).toEqual([])
      if (changes.length === 0) return
      applyChanges(planRulesRemoval(place))
      expect(readFileSync(path, 'utf8')).toBe(before)
    }),
    { numRuns: 30 },
  )
})

test('rules are removed where the file has changed since, with the lists that were made for them', async () => {
  const { place } = await machine()
  const path = join(place.env.HOME, '.claude/settings.json')
  mkdirSync(dirname(path))
  writeFileSync(path, '{"model":"x"}')
  applyChanges(planRules(place))
  writeFileSync(path, withMember(readFileSync(path, 'utf8'), ['model'], 'y'))
  applyChanges(planRulesRemoval(place))
  expect(readFileSync(path, 'utf8')).toBe('{"model":"y"}')
})
