import type { ClientHub } from '../../command-line/command.ts'

type End = Parameters<ClientHub['engine']['returnSession']>[1]

/** A hub that goes away meanwhile is asked once more. One that cannot be reached finds by itself that the process has gone. */
export async function reportEnd({ engine, context }: ClientHub, end: End): Promise<void> {
  await engine
    .returnSession(context, end)
    .catch(() => engine.returnSession(context, end))
    .catch(() => {})
}
