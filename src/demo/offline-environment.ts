import { join } from 'node:path'

/** An environment in which the CLI knows no account and no settings and talks to nobody but the scripted model. */
export function offlineEnvironment(path: string, home: string, modelUrl: string): Record<string, string> {
  return {
    PATH: path,
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, 'config'),
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'fake',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
  }
}
