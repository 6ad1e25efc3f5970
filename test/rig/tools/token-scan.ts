/** What nobody may print: the tokens of operator, clients and sessions. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Ours have 256 bits in base64url, and nothing else that a hub prints looks like that. */
const LIKE_A_TOKEN = /(?<![\w-])[\w-]{43}(?![\w-])/

/** Those that lie in a home folder, and whatever else looks like one. */
export async function tokensIn(home: string, text: string): Promise<string[]> {
  const folders = ['clients', ...(await namesIn(join(home, 'runs'))).map((run) => join('runs', run))]
  const nested = await Promise.all(
    folders.map(async (folder) => (await namesIn(join(home, folder))).map((name) => join(folder, name))),
  )
  const files = [
    'operator.token',
    'signing.key',
    ...nested.flat().filter((file) => /\.token$|mcp\.json$/.test(file)),
  ]
  const texts = await Promise.all(files.map((file) => readFile(join(home, file), 'utf8').catch(() => '')))
  const known = texts.flatMap((one) => LIKE_A_TOKEN.exec(one) ?? [])
  return [...known.filter((token) => text.includes(token)), ...(LIKE_A_TOKEN.exec(text) ?? [])]
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
