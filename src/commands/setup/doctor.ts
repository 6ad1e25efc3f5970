import type { CommandCall } from '../../command-line/command.ts'
import { configuredClients } from '../../setup/clients/configured-clients.ts'
import { examine } from '../../setup/doctor/examine.ts'
import { findingLines, summary, withTilde } from '../../setup/doctor/findings-view.ts'
import { placeOf } from '../../setup/doctor/facts/place.ts'

const STYLES = { ok: 'good', note: 'attention', fix: 'bad' } as const

/** Exit code 1 when something must be done. */
export async function run({ flags, env, out }: CommandCall): Promise<number> {
  const findings = await examine({
    place: placeOf(env, flags.text('home')),
    clients: () => configuredClients(env),
  })
  const isWell = findings.every(({ level }) => level !== 'fix')
  if (out.isJson) out.json({ ok: isWell, findings })
  else {
    const shown = out.isTerminal
      ? findings.map((finding) => ({ ...finding, text: withTilde(finding.text, env['HOME']) }))
      : findings
    const lines = findingLines(shown, out.columns, (level, text) => out.style(STYLES[level], text))
    for (const line of lines) out.line(line)
    // With the lines above it, so that a pipe has them in this order.
    out.line(summary(findings))
  }
  return isWell ? 0 : 1
}
