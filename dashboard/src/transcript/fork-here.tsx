import { useSignal } from '@preact/signals'
import { nodesOf } from '../../../src/tree/session-tree.ts'
import { hub } from '../hub/connection.ts'
import { storedScope } from '../hub/device-token.ts'

/** A new session that continues after this turn, as if nothing had been said since. */
export function ForkHere({ sessionId, turn }: { readonly sessionId: string; readonly turn: number }) {
  const problem = useSignal<string | undefined>(undefined)
  const isForking = useSignal(false)
  if (storedScope() !== 'operate') return null
  const fork = async () => {
    isForking.value = true
    try {
      const { id } = await forkAfter(sessionId, turn)
      location.hash = `#/s/${id}`
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error)
    }
    isForking.value = false
  }
  return (
    <>
      {' '}
      <button type="button" class="small" disabled={isForking.value} onClick={() => void fork()}>
        Fork from here
      </button>
      {problem.value !== undefined && <p role="alert">{problem.value}</p>}
    </>
  )
}

/** The node is looked up when it is needed: a tree may be large, and most turns are never forked. */
async function forkAfter(sessionId: string, turn: number): Promise<{ readonly id: string }> {
  const branches = await hub.call('tree', { sessionId })
  const node = branches.flatMap(nodesOf).find((each) => each.sessionId === sessionId && each.turn === turn)
  if (!node)
    throw new Error('This turn is not in the history of the session, so it cannot be forked from here.')
  return hub.call('fork', { sessionId, nodeId: node.id })
}
