/** A hub that takes calls and answers none, as one that was stopped (kill -STOP). */
import { createServer } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { HubPresence } from '../../src/command-line/hub-presence.ts'
import { VERSION } from '../../src/base/version.ts'
import { writeHubRecord } from '../../src/hub/hub-record.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'

async function said({
  answers,
  before = () => {},
}: {
  answers: boolean
  before?: (hub: HubPresence) => void
}) {
  const home = await temporaryFolder()
  const socket = join(home, 'hub.sock')
  const server = createServer((_, response) => void (answers && response.end('ok'))).listen(socket)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await writeHubRecord(home, { url: '', socket, pid: 4711, version: VERSION })
  const presence = new HubPresence()
  before(presence)
  const lines: string[] = []
  await presence.sayIfSilent(home, answers ? 10_000 : 50, (line) => lines.push(line))
  return lines
}

test('a hub that answers nothing is named once, with what to do', async () => {
  expect(await said({ answers: false })).toEqual([
    'The hub (pid 4711) does not answer. kill -9 4711 ends it; its sessions and questions stay for the next hub (plexus serve). This command waits for it.',
  ])
})

test('nothing is said of a hub that answers, or that has answered this command already', async () => {
  expect(await said({ answers: true })).toEqual([])
  expect(await said({ answers: false, before: (presence) => presence.note(true) })).toEqual([])
  const lines: string[] = []
  await new HubPresence().sayIfSilent(await temporaryFolder(), 50, (line) => lines.push(line))
  expect(lines).toEqual([])
})
