import { couldAllowAnyCommand } from '../shell/any-command-rule.ts'

/** The start options that can run code, or drop supervision, by themselves. */
interface RiskyOptions {
  readonly permissionMode?: string | undefined
  readonly dangerouslySkipPermissions?: boolean | undefined
  readonly allowedTools?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly mcpServers?: Readonly<Record<string, object>> | undefined
}

/** The options that need the scope `bypass`, as text for an error; empty if none does. */
export function optionsNeedingBypass(options: RiskyOptions): string[] {
  const reasons: string[] = []
  const { permissionMode: mode, allowedTools = [], env = {}, mcpServers = {} } = options
  if (mode === 'bypassPermissions' || mode === 'auto' || mode === 'cli')
    reasons.push(`permissionMode ${mode}`)
  if (options.dangerouslySkipPermissions) reasons.push('dangerouslySkipPermissions')
  const anyCommand = allowedTools.filter(couldAllowAnyCommand)
  if (anyCommand.length > 0) reasons.push(`allowedTools ${anyCommand.join(', ')}`)
  if (Object.keys(env).length > 0) reasons.push('env')
  if (Object.values(mcpServers).some((server) => 'command' in server))
    reasons.push('mcpServers with a command')
  return reasons
}
