import type { CommandCall } from '../../command-line/command.ts'
import { deviceScope } from './device-scope-flag.ts'
import { openLink } from '../../system/open-link.ts'

/** Makes a link that signs one browser in, within a minute, and opens it where there is a desktop. */
export async function run({ flags, env, out, hub }: CommandCall): Promise<void> {
  const scope = deviceScope(flags, 'operate')
  const { engine, context } = await hub('changes')
  const link = await engine.inviteDevice(context, { scope })
  if (out.isJson) return out.json({ ...link })
  const program = flags.isSet('print') || !out.isTerminal ? undefined : browserProgram(env, process.platform)
  const isOpened = program !== undefined && (await openLink(program, link.url))
  out.line(link.url)
  out.say(
    isOpened
      ? 'A browser opens it. The link works once, within a minute.'
      : 'Open this link in a browser of this machine. It works once, within a minute.',
  )
}

/** The program that opens a link on the desktop of this person. Over SSH the desktop is another machine's. */
function browserProgram(env: CommandCall['env'], platform: NodeJS.Platform): string | undefined {
  if (env['SSH_CONNECTION'] || env['CI']) return undefined
  if (platform === 'darwin') return 'open'
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? 'xdg-open' : undefined
}
