/** An editor that runs Claude Code by claude-agent-acp, over the Agent Client Protocol. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { nodeForClients, packagePath, packageVersion } from '../../../scripts/client-packages.mjs'
import { cleanEnvironment } from '../../rig/cli/real-cli.ts'
import type { Client, Server, Stage } from '../client.ts'
import { claudeShell } from './claude-code.ts'
import { modelParent } from '../models/model-server.ts'
import { bodyOf, listOf, textOf } from '../models/body.ts'

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly result?: Record<string, unknown>
  readonly error?: { readonly message: string }
}

const pairs = (record: Record<string, string>) =>
  Object.entries(record).map(([name, value]) => ({ name, value }))

const serverOf = (server: Server): object =>
  server.transport === 'stdio'
    ? { name: 'plexus', command: server.command, args: server.args, env: pairs(server.env) }
    : { type: 'http', name: 'plexus', url: server.url, headers: pairs(server.headers) }

async function run(stage: Stage, hasForms: boolean): Promise<string> {
  const { cwd, parent, note } = stage
  const env = cleanEnvironment(stage.home, await modelParent(parent, note))
  const agent = spawn(nodeForClients(), [join(packagePath('acp'), 'dist/index.js')], {
    cwd,
    env,
    stdio: 'pipe',
  })
  onTestFinished(async () => {
    const closed = once(agent, 'close')
    if (agent.kill('SIGKILL')) await closed
  })
  agent.stderr.setEncoding('utf8').on('data', note)
  let said = ''
  const answers = new Map<number, (message: Message) => void>()
  const write = (message: object) =>
    void agent.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  createInterface({ input: agent.stdout }).on('line', (line) => {
    note(`${line}\n`)
    const message = JSON.parse(line) as Message
    if (message.method === undefined) return answers.get(message.id ?? -1)?.(message)
    if (message.method === 'session/update') said += chunkOf(message)
    else if (message.id !== undefined) write({ id: message.id, ...answerTo(message, stage) })
  })
  const ask = async (method: string, params: object): Promise<Record<string, unknown>> => {
    const id = answers.size
    const answer = new Promise<Message>((resolve) => answers.set(id, resolve))
    write({ id, method, params })
    const { result, error } = await answer
    if (error) throw new Error(`${method}: ${error.message}`)
    return result ?? {}
  }
  const clientCapabilities = hasForms ? { elicitation: { form: {} } } : {}
  await ask('initialize', { protocolVersion: 1, clientCapabilities })
  const { sessionId } = await ask('session/new', { cwd, mcpServers: [serverOf(stage.server)] })
  await ask('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Let a session do it.' }] })
  return said
}

function chunkOf({ params }: Message): string {
  const update = bodyOf(params?.['update'])
  if (update['sessionUpdate'] !== 'agent_message_chunk') return ''
  return textOf([update['content']])
}

/** Its person allows that the tools of Plexus are called, and fills in forms. */
function answerTo({ method, params = {} }: Message, { parent }: Stage): object {
  if (method === 'elicitation/create') return { result: parent.fillIn(String(params['message'])) }
  if (method !== 'session/request_permission') return { error: { code: -32601, message: 'Unknown here.' } }
  const option = listOf(params['options']).find(({ kind }) => String(kind).startsWith('allow'))
  return { result: { outcome: { outcome: 'selected', optionId: option?.['optionId'] } } }
}

const HOW = '`plexus` among the editor\'s MCP servers, such as `"context_servers"` of Zed'

export const acp: readonly Client[] = [
  {
    name: 'acp',
    title: 'claude-agent-acp, in an editor without forms',
    version: packageVersion('acp'),
    setup: `${HOW}.`,
    shell: claudeShell,
    run: (stage) => run(stage, false),
  },
  {
    name: 'acp-forms',
    title: 'claude-agent-acp, in an editor with forms',
    version: packageVersion('acp'),
    setup: `${HOW}, as \`plexus mcp --ask both\`, over HTTP \`/mcp?ask=both\`: only then does the editor show forms.`,
    hasForms: true,
    run: (stage) => run(stage, true),
  },
]
