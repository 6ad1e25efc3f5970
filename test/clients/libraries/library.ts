/** Libraries whose user writes the program: ours calls the tools, and the suite decides which. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { nodeForClients, packageFolder, packageVersion } from '../../../scripts/client-packages.mjs'
import type { Client, Stage } from '../client.ts'
import { drive } from '../drive.ts'
import type { ToolResult } from '../parent.ts'

const programs = join(import.meta.dirname, 'programs')

/** The program lies beside the packages that it imports. */
export async function programBeside(name: string): Promise<string> {
  const folder = join(packageFolder(name), 'program')
  await mkdir(folder, { recursive: true })
  for (const file of [`${name}.mjs`, 'serve-calls.mjs'])
    await copyFile(join(programs, file), join(folder, file))
  return join(folder, `${name}.mjs`)
}

async function called(stage: Stage, name: string): Promise<string> {
  const args = [await programBeside(name), JSON.stringify(stage.server)]
  const child = spawn(nodeForClients(), args, { cwd: stage.cwd, env: stage.env, stdio: 'pipe' })
  onTestFinished(async () => {
    const closed = once(child, 'close')
    if (child.kill('SIGKILL')) await closed
  })
  child.stderr.setEncoding('utf8').on('data', stage.note)
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return drive(stage.parent, async (tool, input) => answerTo(child, answers, { tool, input }))
}

async function answerTo(
  child: ChildProcessWithoutNullStreams,
  answers: AsyncIterator<string>,
  call: object,
): Promise<ToolResult> {
  child.stdin.write(`${JSON.stringify(call)}\n`)
  for (;;) {
    const { value, done } = await answers.next()
    if (done) throw new Error('The program has ended.')
    // Some libraries print to stdout too.
    if (value.startsWith('{"text":')) return JSON.parse(value) as ToolResult
  }
}

const library = (name: string, row: Pick<Client, 'title' | 'setup' | 'theirs' | 'notFor'>): Client => ({
  name,
  version: packageVersion(name),
  ...row,
  run: (stage) => called(stage, name),
})

export const libraries: readonly Client[] = [
  library('langchain', {
    title: 'LangChain MCP adapters',
    setup:
      '`mcpServers: { plexus: { transport: "stdio", command: "plexus", args: ["mcp"] } }`, or `{ transport: "http", url, headers }`.',
  }),
  library('ai-sdk', {
    title: 'Vercel AI SDK',
    theirs: {
      'HTTP SIGKILL':
        'a call whose stream has ended without an answer never ends: it has no limit of its own',
    },
    setup:
      '`createMCPClient({ transport: new Experimental_StdioMCPTransport({ command: "plexus", args: ["mcp"] }) })`, or `{ type: "http", url, headers }`.',
  }),
  library('mastra', {
    title: 'Mastra',
    setup:
      '`new MCPClient({ servers: { plexus: { command: "plexus", args: ["mcp"] } } })`, or `{ url, requestInit: { headers } }`.',
  }),
]
