import { fix, note, ok, type Outcome } from './finding.ts'

export interface LoginFacts {
  /** Whether the file is there: it is never opened. */
  readonly credentialsFile: boolean
  /** The login variables that are set. */
  readonly variables: readonly string[]
  readonly apiKeyHelper: boolean
  readonly platform: string
}

/** Signs of a login, and no more: whether it is still valid only a session shows. */
export function judgeLogin({ credentialsFile, variables, apiKeyHelper, platform }: LoginFacts): Outcome[] {
  const signs = [
    ...(credentialsFile ? ['a credentials file'] : []),
    ...(apiKeyHelper ? ['apiKeyHelper in settings.json'] : []),
    ...variables,
  ]
  if (signs.length > 0)
    return [ok(`Signs of a login of Claude Code: ${signs.join(', ')}. Only a session shows if it is valid.`)]
  if (platform === 'darwin')
    return [
      note(
        'No credentials file and no key variable; on macOS the login may be in the keychain. Run claude to see.',
      ),
    ]
  return [
    fix('No sign of a login of Claude Code. Run claude and log in, or set ANTHROPIC_API_KEY for the hub.'),
  ]
}
