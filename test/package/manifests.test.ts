import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import manifest from '../../package.json' with { type: 'json' }
import {
  marketplaceManifest,
  mcpbManifest,
  pluginManifest,
  pluginServers,
  serverEntry,
} from '../../scripts/bundles/manifests.mjs'
import table from '../../src/transports/mcp/tool-table.json' with { type: 'json' }

const offered = table.tools.filter(({ name }) => table.toolsets.claude.tools.includes(name))
const text = z.string().min(1)
const about = { version: z.literal(manifest.version), description: z.literal(manifest.description) }

/** What version 0.3 of the format demands of the fields that ours has; `npm run test:package` has the bundle checked by its makers' program. */
const Mcpb = z.strictObject({
  ...about,
  manifest_version: z.literal('0.3'),
  name: text,
  display_name: text,
  author: z.strictObject({ name: text }),
  repository: z.strictObject({ type: text, url: z.url() }),
  homepage: z.url(),
  support: z.url(),
  license: text,
  keywords: z.array(text),
  server: z.strictObject({
    type: z.literal('node'),
    entry_point: text,
    mcp_config: z.strictObject({ command: text, args: z.array(text) }),
  }),
  tools: z.array(z.strictObject({ name: text, description: text })).min(1),
  compatibility: z.strictObject({
    platforms: z.array(z.enum(['darwin', 'win32', 'linux'])),
    runtimes: z.strictObject({ node: text }),
  }),
})

/** The same for `server.json` of the registry, schema 2025-12-11: names, lengths, and a package of one exact version. */
const ServerEntry = z.strictObject({
  ...about,
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: text.max(100),
  description: z.string().min(1).max(100),
  repository: z.strictObject({ url: z.url(), source: z.literal('github') }),
  websiteUrl: z.url(),
  packages: z.array(
    z.strictObject({
      registryType: z.literal('npm'),
      identifier: z.literal(manifest.name),
      version: z.string().regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/),
      runtimeHint: text,
      transport: z.strictObject({ type: z.literal('stdio') }),
      packageArguments: z.array(z.strictObject({ type: z.literal('positional'), value: text })),
    }),
  ),
})

const Plugin = z.strictObject({
  ...about,
  name: z.string().regex(/^[a-z][a-z0-9-]*$/),
  author: z.strictObject({ name: text }),
  homepage: z.url(),
  repository: z.url(),
  license: text,
  keywords: z.array(text),
})

const Servers = z.strictObject({
  mcpServers: z.record(text, z.strictObject({ command: text, args: z.array(text) })),
})

const Marketplace = z.strictObject({
  description: about.description,
  name: z.string().regex(/^[a-z][a-z0-9-]*$/),
  owner: z.strictObject({ name: text }),
  plugins: z.array(
    z.strictObject({
      version: about.version,
      description: text,
      name: text,
      source: z.string().regex(/^\.\//),
      category: text,
    }),
  ),
})

test.each([
  ['the MCPB bundle', Mcpb, mcpbManifest(manifest, offered)],
  ['the entry of the MCP registry', ServerEntry, serverEntry(manifest)],
  ['the plugin', Plugin, pluginManifest(manifest)],
  ['the server of the plugin', Servers, pluginServers()],
  ['the marketplace', Marketplace, marketplaceManifest(manifest)],
] as const)('the manifest of %s is valid', (_, schema, made) => {
  expect(schema.safeParse(made).error?.issues).toBeUndefined()
})

test('the registry knows the package by the name that the package has for it', () => {
  expect(serverEntry(manifest)).toMatchObject({ name: manifest.mcpName })
})

test('the bundle lists the six tools', () => {
  expect(offered).toHaveLength(6)
  expect(mcpbManifest(manifest, offered)).toMatchObject({ tools: offered.map(({ name }) => ({ name })) })
})

/** Words of a page in code quotes, but for values and paths. */
const quotedIn = (page: string) => [...page.matchAll(/`([\w.]+)`/g)].map(([, word = '']) => word)

test('the skill teaches tools, fields and values that there are', () => {
  const skill = readFileSync(join(import.meta.dirname, '../../scripts/bundles/supervise.md'), 'utf8')
  expect(skill).toMatch(/^---\nname: supervise\ndescription: .{50,1000}\n---\n/)
  const said = JSON.stringify(offered)
  const unknown = quotedIn(skill).filter((word) => !said.includes(word))
  expect(unknown).toEqual([])
  expect(said).toContain('pendingQuestion.input')
  const untaught = offered.map(({ name }) => name).filter((name) => !skill.includes(name))
  expect(untaught).toEqual(['claude_list'])
})
