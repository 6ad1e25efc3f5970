// The clients of `npm run test:clients` that others wrote, and the packages that each needs in .cache/clients.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetchedNode, nodePath } from './fetched-node.mjs'
import { fetchedPackage } from './fetched-package.mjs'

const cache = fileURLToPath(new URL('../.cache/clients', import.meta.url))

/** What the table is made of: a file for each run. */
export const results = join(cache, 'results')
/** What each client printed. */
export const logs = join(cache, 'logs')

/** Some clients need it, and all of them can run on it. */
const NODE = '24.21.0'

const PACKAGES = {
  'agent-sdk': ['@anthropic-ai/claude-agent-sdk', '0.3.325'],
  mcporter: ['mcporter', '0.12.3'],
  inspector: ['@modelcontextprotocol/inspector', '2.12.0'],
  'mcp-remote': ['mcp-remote', '0.15.1'],
  langchain: [
    '@langchain/mcp-adapters',
    '1.1.4',
    ['@langchain/core@1.2.13', '@langchain/langgraph@1.4.10', 'zod@4.2.0'],
  ],
  'ai-sdk': ['@ai-sdk/mcp', '2.0.93'],
  mastra: ['@mastra/mcp', '2.0.0'],
  'openai-agents': ['@openai/agents', '0.20.0'],
  opencode: ['opencode-ai', '1.18.33'],
  gemini: ['@google/gemini-cli', '0.61.0'],
  qwen: ['@qwen-code/qwen-code', '0.24.4'],
  continue: ['@continuedev/cli', '1.5.47'],
  codex: ['@openai/codex', '0.166.0'],
  copilot: ['@github/copilot', '1.0.102'],
  acp: ['@agentclientprotocol/claude-agent-acp', '0.99.1'],
}

const folderOf = ([name, version]) => join(cache, `${name.replace('/', '-')}-${version}`)

/** The folder whose `node_modules` has the package. */
export const packageFolder = (key) => folderOf(PACKAGES[key])

/** The folder of the package itself. */
export const packagePath = (key) => join(packageFolder(key), 'node_modules', PACKAGES[key][0])

export const packageVersion = (key) => PACKAGES[key][1]

export const isPackage = (key) => key in PACKAGES

export const packageNames = Object.keys(PACKAGES)

export const nodeForClients = () => nodePath(NODE)

/** All that these need, before anything runs: a missing one shows at once. */
export function fetchClients(keys) {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('The clients are fetched for Linux on x64 only: run this there.')
  fetchedNode(NODE)
  for (const [name, version, beside] of keys.map((key) => PACKAGES[key]))
    fetchedPackage(folderOf([name, version]), name, version, beside)
}
