// Writes src/transports/mcp/tool-table.json, which the build bundles and git ignores: what the MCP server answers to
// `initialize` and `tools/list`, asked of the server itself.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const target = join(root, 'src/transports/mcp/tool-table.json')

export async function writeTables() {
  const made = join(root, '.cache/tables/make-mcp-table.mjs')
  await build({
    cwd: root,
    input: join(root, 'src/transports/mcp/make-tool-table.ts'),
    platform: 'node',
    external: [/^node:/],
    logLevel: 'warn',
    output: { file: made, format: 'esm', codeSplitting: false },
  })
  const { makeMcpTable } = await import(pathToFileURL(made).href)
  const table = `${JSON.stringify(await makeMcpTable(), null, 2)}\n`
  if (table !== textOf(target)) writeFileSync(target, table)
}

/** Undefined if there is no such file. */
function textOf(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeTables()
