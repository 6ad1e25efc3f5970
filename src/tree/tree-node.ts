import type { SessionId } from '../base/ids.ts'

/** A turn in the history of a session and its forks. */
export interface TreeNode {
  readonly id: string
  readonly sessionId: SessionId
  /** Absent for the first turn of a session that is no fork. */
  readonly parentId?: string | undefined
  readonly turn: number
  /** The first line of the turn's prompt, shortened. */
  readonly title: string
  /** The CLI's conversation id, and the uuid of the last message of this turn: a fork continues from there. */
  readonly cliSessionId: string
  readonly assistantUuid?: string | undefined
  readonly at: number
}

/** Port. Nodes are added by steps of their session (`Journal.append`). */
export interface NodeStore {
  get(id: string): Promise<TreeNode | undefined>
  children(id: string): Promise<TreeNode[]>
}
