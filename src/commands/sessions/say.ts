import type { CommandCall } from '../../command-line/command.ts'

export async function run({ args: [sessionId = '', ...words], out, hub }: CommandCall): Promise<void> {
  const { engine, context } = await hub('changes')
  const said = await engine.startTurn(context, { sessionId, content: words.join(' ') })
  if (out.isJson) return out.json(said)
  out.say(said.queued ? 'It is at work; it reads this when its turn is over.' : 'It has begun.')
  if (said.hint !== undefined) out.say(said.hint)
}
