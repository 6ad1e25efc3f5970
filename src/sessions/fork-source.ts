/** What a new session continues from: a node of the history of another, or a conversation that only the CLI has. */
import { AppError } from '../base/errors.ts'
import { budgetOf } from '../budgets/budget.ts'
import { lineage } from '../tree/session-tree.ts'
import type { TreeNode } from '../tree/tree-node.ts'
import type { HubEnvironment } from './launch/hub-environment.ts'
import type { NewSession } from './new-session.ts'
import type { Session } from './record/session.ts'
import type { Store } from './record/store.ts'

/** What a fork has of its source. */
export function forkOf(
  source: Session,
  { name, owner }: Pick<NewSession, 'owner'> & { readonly name: string | undefined },
): Omit<NewSession, 'id' | 'origin' | 'headNode'> {
  const { parentId, timeoutMs, answerers, ask } = source
  // The limits that hold now, not those of its start: a fork is no way around a limit that was set later.
  const limits = { budget: budgetOf(source), maxBudgetUsd: undefined }
  return { options: { ...source.config, ...limits, name }, owner, parentId, timeoutMs, answerers, ask }
}

/** It has no turn of ours yet, but the conversation that it resumes can be continued. */
export function hasOnlyCliTurns({ headNode, origin }: Session): boolean {
  return headNode === undefined && origin.kind === 'resume'
}

/** The node to continue from, which must be of this session's own history. */
export async function forkPoint(
  nodes: Store['nodes'],
  source: Session,
  nodeId = source.headNode,
): Promise<TreeNode> {
  const node = nodeId === undefined ? undefined : await nodes.get(nodeId)
  if (!node)
    throw new AppError(
      'not_found',
      'There is no such node in this session yet; a turn must have ended before it can be forked.',
    )
  if (!(await lineage(nodes, source.headNode)).some(({ id }) => id === node.id))
    throw new AppError(
      'invalid_input',
      `The node ${node.id} is not in the history of this session; read its tree.`,
    )
  return node
}

export async function requireConversation(
  { transcriptOf }: Pick<HubEnvironment, 'transcriptOf'>,
  cliSessionId: string,
): Promise<void> {
  if ((await transcriptOf(cliSessionId)) !== undefined) return
  throw new AppError(
    'not_found',
    `Claude Code has no conversation ${cliSessionId}; list the sessions to see which there are.`,
  )
}
