import type { RuleOffers } from '../../../src/engine/engine.ts'

const SCOPES = ['turn', 'session'] as const

/** Two rules that a question offers: `narrow-NAME`, and `wide-NAME`, which would have allowed what was denied. */
export function offersFor(name: string): RuleOffers {
  const offer = (width: string) => ({
    id: `${width}-${name}`,
    text: `${width} ${name}`,
    rule: { id: `${width}-${name}`, effect: 'allow' as const, command: [width] },
    scopes: SCOPES,
    texts: Object.fromEntries(SCOPES.map((scope) => [scope, `${width} ${name} in ${scope}`])),
  })
  const denied = { question: 'web.3', at: 0, call: 'Bash(rm\u001B[2J)', status: 'denied' as const }
  return {
    offers: [
      { ...offer('narrow'), newlyAllowed: { count: 0, denied: 0, examples: [] }, needsYes: false },
      { ...offer('wide'), newlyAllowed: { count: 4, denied: 1, examples: [denied] }, needsYes: true },
    ],
    compared: { questions: 37, since: Date.UTC(2026, 10, 1) },
  }
}
