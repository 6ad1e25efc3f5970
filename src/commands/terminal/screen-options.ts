import type { CommandCall } from '../../command-line/command.ts'
import type { FollowOptions } from '../../command-line/follow/follow-session.ts'
import { editInput } from '../../command-line/terminal/edit-input.ts'

/** What every screen is given, whichever command opens it. */
export function screenOptions({ env, out }: Pick<CommandCall, 'env' | 'out'>): Omit<FollowOptions, 'after'> {
  return { homeFolder: env['HOME'], look: out.look, edit: (question) => editInput(question, env) }
}
