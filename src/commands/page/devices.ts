import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { alignedLines } from '../../command-line/views/columns.ts'
import { oneLine, span } from '../../command-line/views/session-words.ts'

/** `devices ls` and `devices rm NAME`. */
export async function run({ args: [verb, name], out, hub }: CommandCall): Promise<void> {
  if (verb === 'rm' && name !== undefined) {
    const { engine, context } = await hub('changes')
    const device = await engine.removeDevice(context, { name })
    if (out.isJson) return out.json({ removed: device })
    return out.say(`${oneLine(device.name)} is signed out.`)
  }
  if (verb !== 'ls' || name !== undefined)
    throw new AppError('invalid_input', 'Say plexus devices ls, or plexus devices rm NAME.')
  const { engine, context } = await hub('reads')
  const devices = await engine.listDevices(context, {})
  if (out.isJson) return out.json({ devices })
  if (devices.length === 0) return out.say('No browser is signed in; plexus open signs one in.')
  const now = Date.now()
  const columns = [
    { title: 'NAME', cells: devices.map((device) => oneLine(device.name)), flexible: true },
    { title: 'MAY', cells: devices.map(({ scope }) => scope) },
    { title: 'LAST SEEN', cells: devices.map(({ lastSeenAt }) => `${span(now - lastSeenAt)} ago`) },
    { title: 'ENDS IN', cells: devices.map(({ endsAt }) => span(endsAt - now)) },
  ]
  for (const line of alignedLines(columns, out.columns)) out.line(line)
}
