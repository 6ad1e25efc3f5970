// Writes src/transports/mcp/tool-table.json: what the MCP server says of itself, asked of the server itself.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
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
writeFileSync(join(root, 'src/transports/mcp/tool-table.json'), table)
