/**
 * An amount of US dollars, in whole cents: `$4.10`. It is never rounded up, so that what is below a limit never reads like the
 * limit; less than a cent is shown too, because small budgets have such limits. Every face shows money by this.
 */
export function moneyText(usd: number): string {
  if (usd > 0 && usd < TINY) return '<$0.0001'
  return usd > 0 && usd < 0.01 ? `$${trimmed(floored(usd, 4))}` : `$${floored(usd, 2)}`
}

/** A limit, to its last digit: a person gave it. */
export function limitText(usd: number): string {
  return `$${trimmed(usd.toFixed(MAX_DIGITS))}`
}

/** What was spent of a limit, with as many digits as the limit has: `$0.304 of $0.305`. */
export function spentOfLimitText(spent: number, limit: number): string {
  const digits = (trimmed(limit.toFixed(MAX_DIGITS)).split('.')[1] ?? '').length
  const shown = floored(spent, digits)
  return `${spent > 0 && Number(shown) === 0 ? moneyText(spent) : `$${shown}`} of ${limitText(limit)}`
}

/** Cut off after so many digits; sums of fractions are a little below what they stand for. */
function floored(usd: number, digits: number): string {
  const parts = 10 ** digits
  return (Math.floor(usd * parts + NEARLY) / parts).toFixed(digits)
}

/** Without zeros at the end, but with cents. */
function trimmed(digits: string): string {
  return digits.replace(/(\.\d{2}\d*?)0+$/, '$1')
}

const TINY = 0.0001
const MAX_DIGITS = 6
const NEARLY = 1e-6
