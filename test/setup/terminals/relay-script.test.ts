/** The relay as Claude Code starts it, with real sh and curl, at a small hub of the test. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { RELAY_SCRIPT } from '../../../src/setup/terminals/relay-script.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'

const CURL = '/usr/bin/curl'
const QUESTION = {
  session_id: 's',
  tool_name: 'Bash',
  tool_input: { command: `echo "it's" $HOME \`x\` \\ %s` },
}

interface Asked {
  readonly path: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

async function aPlace() {
  const folder = await temporaryFolder()
  const [relay, socket] = [join(folder, 'relay.sh'), join(folder, 'hub.sock')]
  await writeFile(relay, RELAY_SCRIPT)
  return { folder, relay, socket }
}

/** What a hub does with the questions that it is asked; by default it answers with the decision at once. */
async function aHub(socket: string, reply = (response: ServerResponse) => void response.end('{"a":"b"}')) {
  const asked: Asked[] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    asked.push({ path: request.url, headers: request.headers, body: await text(request) })
    reply(response)
  }
  const server = createServer((request, response) => void take(request, response))
  server.listen(socket)
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    if (server.listening) await once(server.close(), 'close')
  }
  onTestFinished(close)
  return { asked, close }
}

interface RelayParts {
  readonly relay: string
  readonly socket: string
  readonly curl?: string
  readonly env?: Record<string, string>
  readonly input?: string
}

function start({ relay, socket, curl = CURL, env = {}, input = JSON.stringify(QUESTION) }: RelayParts) {
  const child = spawn('/bin/sh', [relay, socket, curl], { env: { PATH: '/usr/bin:/bin', ...env } })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.on('error', () => {}).end(input)
  const outputs = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return {
    child,
    ended: outputs.then(([stdout, stderr, [code]]: [string, string, unknown[]]) => ({
      stdout,
      stderr,
      code,
    })),
  }
}

const SILENT = { stdout: '', stderr: '', code: 0 }

test('the question reaches the hub as it is, with the pid of the CLI, and the answer is printed as it is', async () => {
  const place = await aPlace()
  const { asked } = await aHub(place.socket)
  const { child, ended } = start(place)
  expect(await ended).toEqual({ stdout: '{"a":"b"}', stderr: '', code: 0 })
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatchObject({
    path: '/terminal/ask',
    headers: { 'content-type': 'application/json', 'x-plexus-cli-pid': String(process.pid) },
    body: JSON.stringify(QUESTION),
  })
  expect(asked[0]?.headers['x-plexus-ask']).toMatch(new RegExp(`^${child.pid}-\\d+$`))
})

test('a question of a megabyte and an answer of a megabyte pass whole', async () => {
  const place = await aPlace()
  const answer = JSON.stringify({ text: 'é"\\n'.repeat(170_000) })
  const { asked } = await aHub(place.socket, (response) => void response.end(answer))
  const input = JSON.stringify({ ...QUESTION, content: "%s 'é\\".repeat(170_000) })
  expect((await start({ ...place, input }).ended).stdout).toBe(answer)
  expect(asked[0]?.body).toBe(input)
})

test('without a hub it is silent, and a file that is no socket is none', async () => {
  const place = await aPlace()
  expect(await start(place).ended).toEqual(SILENT)
  await writeFile(place.socket, '')
  expect(await start(place).ended).toEqual(SILENT)
})

test('a hub that refuses, such as one that knows no terminals, is no opinion', async () => {
  const place = await aPlace()
  const { asked } = await aHub(place.socket, (response) => void response.writeHead(404).end('{"error":"x"}'))
  expect(await start(place).ended).toEqual(SILENT)
  expect(asked).toHaveLength(1)
})

test('a question whose hub is gone is put to the next hub under the same id', async () => {
  const place = await aPlace()
  const first = await aHub(place.socket, () => void first.close())
  const { ended } = start(place)
  await expect.poll(() => first.asked.length).toBe(1)
  await first.close()
  const second = await aHub(place.socket, (response) => void response.writeHead(503).end())
  await expect.poll(() => second.asked.length, { timeout: 10_000 }).toBe(1)
  await second.close()
  const third = await aHub(place.socket)
  expect(await ended).toEqual({ stdout: '{"a":"b"}', stderr: '', code: 0 })
  const ids = [first, second, third].map(({ asked }) => asked[0]?.headers['x-plexus-ask'])
  expect(new Set(ids).size).toBe(1)
})

test('it ends when the CLI has ended while no hub is there', async () => {
  const place = await aPlace()
  const hub = await aHub(place.socket, () => {})
  // The shell in between is the CLI here: the relay is its child.
  const cli = spawn('/bin/sh', ['-c', `/bin/sh "$0" "$1" ${CURL} & echo $!; wait`, place.relay, place.socket])
  onTestFinished(() => void cli.kill('SIGKILL'))
  cli.stdin.end('{}')
  const [line] = (await once(cli.stdout, 'data')) as [Buffer]
  const relay = Number(line.toString())
  onTestFinished(() => {
    if (isThere(relay)) process.kill(relay, 'SIGKILL')
  })
  await expect.poll(() => hub.asked.length).toBe(1)
  cli.kill('SIGKILL')
  await once(cli, 'exit')
  await hub.close()
  await expect.poll(() => isThere(relay), { timeout: 10_000 }).toBe(false)
})

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('variables of a hostile project decide nothing: neither which programs run nor where the question is sent', async () => {
  const place = await aPlace()
  const hub = await aHub(place.socket)
  const trap = join(place.folder, 'trap')
  for (const name of ['curl', 'cat', 'date', 'sleep', 'sh']) {
    await writeFile(join(place.folder, name), `#!/bin/sh\necho ${name} >> ${trap}\n`)
    await chmod(join(place.folder, name), 0o755)
  }
  await writeFile(join(place.folder, '.curlrc'), `proxy = http://127.0.0.1:9\noutput = ${trap}\n`)
  const env = {
    PATH: place.folder,
    HOME: place.folder,
    CURL_HOME: place.folder,
    XDG_CONFIG_HOME: place.folder,
    ENV: join(place.folder, 'sh'),
    BASH_ENV: join(place.folder, 'sh'),
    PLEXUS_HOME: '/nowhere',
    HTTP_PROXY: 'http://127.0.0.1:9',
    http_proxy: 'http://127.0.0.1:9',
    ALL_PROXY: 'http://127.0.0.1:9',
    all_proxy: 'http://127.0.0.1:9',
    PPID: '1',
    IFS: '/.',
    socket: '/nowhere',
    curl: join(place.folder, 'curl'),
  }
  expect(await start({ ...place, env }).ended).toEqual({ stdout: '{"a":"b"}', stderr: '', code: 0 })
  expect(hub.asked[0]?.headers['x-plexus-cli-pid']).toBe(String(process.pid))
  await expect(readFile(trap, 'utf8')).rejects.toThrow('ENOENT')
})

test('paths with spaces, quotes and dollar signs are only paths', async () => {
  const place = await aPlace()
  const socket = join(place.folder, `a b'"$(x).sock`)
  await aHub(socket)
  expect((await start({ ...place, socket }).ended).stdout).toBe('{"a":"b"}')
})
