/** What the approval of a plan asks, and what its two answers are. A plan comes with the tool `ExitPlanMode`. */
export const PLAN_OPTIONS = ['approve', 'reject'] as const

export const NO_PLAN_TEXT = '(without a text)'

export const PLAN_REJECTED = 'The plan was rejected.'

export function planQuestion(plan: string): string {
  return `Claude has completed a plan:\n\n${plan || NO_PLAN_TEXT}\n\nApprove it and begin?`
}

export function isPlanApproved(choice: string): boolean {
  return choice === PLAN_OPTIONS[0]
}
