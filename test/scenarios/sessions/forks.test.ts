import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { say } from '../../../src/demo/scenario.ts'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { branchesFrom, lineage } from '../../../src/tree/session-tree.ts'
import { runningSessions } from '../../../src/transcripts/running-elsewhere.ts'
import { transcriptPathOf } from '../../../src/transcripts/transcript-path.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { startPipedCliIn } from '../../rig/cli/piped-cli.ts'
import { type Sessions, startSessions, stores } from '../../rig/hubs/sessions.ts'
import { asCallerId, asSessionId } from '../../rig/tools/ids.ts'

const lastMessages = (all: Sessions, id: string) =>
  JSON.stringify(
    all.model.requests.filter(({ kind, sessionId }) => kind === 'main' && sessionId === id).at(-1)?.body
      .messages,
  )

async function threeTurns(store: 'memory' | 'sqlite'): Promise<{ all: Sessions; id: string }> {
  const all = await startSessions({
    store,
    scenario: { main: [say('reply one'), say('reply two'), say('reply three')] },
  })
  const { id } = await all.start('prompt one')
  await all.settled(id)
  for (const prompt of ['prompt two', 'prompt three']) {
    await all.supervisor.say(id, prompt)
    await all.settled(id)
  }
  return { all, id }
}

describe.each(stores)('forks on %s', (store) => {
  test('a fork at the head knows everything; the original stays as it is', async () => {
    const { all, id } = await threeTurns(store)
    const fork = all.track(await all.supervisor.creation.fork(id, { owner: asCallerId('test') }))
    expect(await all.supervisor.say(fork.id, 'in the fork')).toMatchObject({ process: 'fork' })
    expect(await all.settled(fork.id)).toMatchObject({ status: 'done', turn: 1 })
    for (const text of ['prompt one', 'reply three', 'in the fork'])
      expect(lastMessages(all, fork.id)).toContain(text)
    await all.supervisor.say(id, 'in the original')
    await all.settled(id)
    expect(lastMessages(all, id)).not.toContain('in the fork')
  })

  test('a fork at an earlier node knows what was said until then, and is a branch of the tree', async () => {
    const { all, id } = await threeTurns(store)
    const { headNode: head } = await all.settled(id)
    const [first, second] = await lineage(all.store.nodes, head)
    const fork = all.track(
      await all.supervisor.creation.fork(id, { nodeId: second?.id, owner: asCallerId('test') }),
    )
    await all.supervisor.say(fork.id, 'another way')
    const { headNode } = await all.settled(fork.id)
    expect(lastMessages(all, fork.id)).toContain('reply two')
    expect(lastMessages(all, fork.id)).not.toContain('prompt three')
    const way = await lineage(all.store.nodes, headNode)
    expect(way.map(({ title }) => title)).toEqual(['prompt one', 'prompt two', 'another way'])
    const tree = await branchesFrom(all.store.nodes, first!)
    expect(tree.branches[0]?.branches.map(({ node }) => node.title)).toEqual(['prompt three', 'another way'])
    // Its next process resumes the fork itself.
    await (await all.supervisor.wake(fork.id)).stop()
    expect(await all.supervisor.say(fork.id, 'and on')).toMatchObject({ process: 'resume' })
    await all.settled(fork.id)
    expect(lastMessages(all, fork.id)).toContain('another way')
  })

  test('what is not in the history of a session is no place to fork it', async () => {
    const { all, id } = await threeTurns(store)
    const other = await all.start('prompt one')
    await all.settled(other.id)
    const { headNode } = await all.get(other.id)
    await expect(
      all.supervisor.creation.fork(id, { nodeId: headNode, owner: asCallerId('test') }),
    ).rejects.toMatchObject({
      code: 'invalid_input',
    })
    await expect(
      all.supervisor.creation.fork(id, { nodeId: 'nowhere', owner: asCallerId('test') }),
    ).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

test('R22: a conversation of somebody else is refused while it runs, resumed when it has ended', async () => {
  const all = await startSessions({ store: 'sqlite', scenario: { main: [say('there'), say('here')] } })
  const outside = await startPipedCliIn({ home: all.folder, cwd: all.folder }, all.model.url)
  outside.say('said outside')
  const { session_id: cliSessionId } = await outside.result()
  const config = join(all.folder, 'config')
  // The CLI tells where it runs, and writes what was said, in its own time.
  await eventually(async () => expect(await transcriptPathOf(config, String(cliSessionId))).toBeDefined())
  await eventually(async () => expect((await runningSessions(config)).has(String(cliSessionId))).toBe(true))
  const options = StartOptions.parse({ workingDirectory: all.project })
  const session = all.track(
    await all.supervisor.creation.resume(asSessionId(String(cliSessionId)), {
      options,
      owner: asCallerId('test'),
    }),
  )
  await expect(all.supervisor.say(session.id, 'said here')).rejects.toMatchObject({
    code: 'in_use',
    message: expect.stringContaining(String(outside.pid)) as string,
  })
  await outside.end()
  expect(await all.supervisor.say(session.id, 'said here')).toMatchObject({ process: 'resume' })
  expect(await all.settled(session.id)).toMatchObject({ status: 'done' })
  expect(lastMessages(all, session.id)).toContain('said outside')
})
