import type { Costs } from '../../engine/sessions/sum-costs.ts'
import { oneLine } from '../../command-line/views/session-words.ts'

/**
 * Each model once: Claude Code writes the same model with its date, without it, and with the size of its context (`[1m]`). Two
 * dates are two models. Most first. Pure.
 */
export function modelSums(models: Costs['models']): { label: string; usd: number }[] {
  const plain = models.map(({ model, usd }) => ({ name: oneLine(model).replace(/\[[^\]]*\]$/, ''), usd }))
  const names = [...new Set(plain.map(({ name }) => name))]
  const dated = (name: string) => names.filter((other) => other.replace(DATE, '') === name && other !== name)
  const sums = new Map<string, number>()
  for (const { name, usd } of plain) {
    const [whole = name, ...others] = dated(name)
    const label = others.length === 0 ? whole : name
    sums.set(label, usd + (sums.get(label) ?? 0))
  }
  return [...sums]
    .map(([name, usd]) => ({ label: name || '(not known)', usd }))
    .toSorted((a, b) => b.usd - a.usd)
}

const DATE = /-20\d{6}$/
