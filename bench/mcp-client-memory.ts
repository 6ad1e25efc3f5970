import { setTimeout } from 'node:timers/promises'
import { type Figure, inPairs } from './harness/figure.ts'
import { type UserRig, withHubProcess } from './harness/user/hub-process.ts'
import { approve, playedEnvironment, startPlayed } from './harness/user/played-session.ts'
import { memoryOfIdleNode, residentMemoryOf } from './harness/user/process-memory.ts'

const APPROVALS = 20

/**
 * Resident memory and not PSS: that divides what Node itself takes by the number of Node processes that happen to run, which says
 * more of the machine than of us.
 */
export const figure: Figure = {
  id: 'P17',
  title: 'resident memory of a `plexus mcp` that has called its tools, 20 approvals among them',
  reference: 'one idle node process',
  unit: 'MB',
  goal: { max: 1.3 },
  run: () =>
    withHubProcess(playedEnvironment, (rig) =>
      inPairs(
        10,
        () => afterCalls(rig),
        () => memoryOfIdleNode(residentMemoryOf),
      ),
    ),
}

/** Each of the six tools. */
async function afterCalls({ project, client }: UserRig): Promise<number> {
  const mcp = await client()
  await mcp.call('claude_list')
  const session = await startPlayed(mcp, project)
  const { sessionId, child } = session
  await approve(mcp, session, APPROVALS)
  child.finish()
  await mcp.call('claude_status', { sessionId })
  await mcp.call('claude_say', { sessionId, message: 'go' })
  await child.prompted()
  child.finish()
  await mcp.call('claude_status', { sessionId })
  await mcp.call('claude_interrupt', { sessionId })
  await setTimeout(SETTLED_MS)
  const memory = residentMemoryOf(mcp.pid)
  child.close()
  await mcp.end()
  return memory
}

/** What a call leaves to do is done. */
const SETTLED_MS = 500
