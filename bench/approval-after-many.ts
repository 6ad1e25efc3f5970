import { type Figure, inPairs } from './harness/figure.ts'
import { withHubProcess } from './harness/user/hub-process.ts'
import { approve, playedEnvironment, type PlayedSession, startPlayed } from './harness/user/played-session.ts'

const BEFORE = 1_000
const TIMES = 20

export const figure: Figure = {
  id: 'P16 (1,000th)',
  title:
    'an approval by claude_status and claude_respond over stdio and a hub, in a turn with 1,000 before it',
  reference: 'the first 20 of a new session, its child played too',
  unit: 'ms',
  goal: { max: 1.15 },
  run: () =>
    withHubProcess(playedEnvironment, async ({ project, client }) => {
      const mcp = await client()
      const children: PlayedSession['child'][] = []
      const start = async () => {
        const session = await startPlayed(mcp, project)
        children.push(session.child)
        return session
      }
      const perApproval = async (session: PlayedSession) => {
        const begin = performance.now()
        await approve(mcp, session, TIMES)
        return (performance.now() - begin) / TIMES
      }
      try {
        const old = await start()
        await approve(mcp, old, BEFORE)
        return await inPairs(
          40,
          () => perApproval(old),
          async () => perApproval(await start()),
        )
      } finally {
        for (const child of children) child.close()
      }
    }),
}
