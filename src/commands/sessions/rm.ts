import type { CommandCall } from '../../command-line/command.ts'
import { oneLine } from '../../command-line/views/session-words.ts'

export async function run({ args, flags, out, hub }: CommandCall): Promise<void> {
  const { engine, context } = await hub('changes')
  for (const sessionId of args) {
    const stop = flags.isSet('stop') ? { stop: true as const } : {}
    const { sessionId: id, name } = await engine.deleteSession(context, { sessionId, ...stop })
    if (out.isJson) out.json({ id, ...(name === undefined ? {} : { name }) })
    else
      out.say(
        `${oneLine(name ?? id.slice(0, 8))} is removed from Plexus. The conversation stays in Claude Code: claude --resume ${id}`,
      )
  }
}
