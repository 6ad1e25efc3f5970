import type { z } from 'zod'
import { BriefQuestion } from '../api/claude/question-view.ts'
import { NodeView } from '../api/claudecode/tree-view.ts'
import { SessionSummary } from '../api/claudecode/session-view.ts'
import { ApprovalView } from '../api/views/approval-view.ts'
import { DecisionView } from '../api/views/decision-view.ts'

/** Objects that several results have, each with a section of its own. */
export const VIEWS: Readonly<Record<string, z.ZodType>> = {
  'Pending question': BriefQuestion,
  'Approval view': ApprovalView,
  'Decision view': DecisionView,
  'Session summary': SessionSummary,
  Node: NodeView,
}

const LINKS: Readonly<Record<string, string>> = {
  options: '[start options](#start-options)',
  pendingQuestion: '[pending question](#pending-question)',
  pendingQuestions: '[pending question](#pending-question)',
  questionsBelow: '[pending question](#pending-question)',
  streams: '[session summary](#session-summary)',
  approvals: '[approval view](#approval-view)',
  pending_approvals: '[approval view](#approval-view)',
  decisions: '[decision view](#decision-view)',
  nodes: '[node](#node)',
}

/** The fields of an operation that hold such an object, or a list of them. */
export function linksOf(operation: string): Readonly<Record<string, string>> {
  if (operation === 'claude_list') return LINKS
  const sessions =
    operation === 'claude_status' ? 'objects like this result' : '[session summary](#session-summary)'
  return { ...LINKS, sessions }
}
