import { z } from 'zod'
import { couldAllowAnyCommand } from '../../../shell/any-command-rule.ts'
import { KEEPS_OUR_HOOK } from '../../../sessions/launch/managed-settings.ts'
import { isAtLeast } from '../../../text/version-order.ts'
import { parseJson } from '../../../text/json-text.ts'
import { fix, note, ok, type Outcome } from './finding.ts'

/** A settings file of the CLI that is there. */
export interface SettingsFile {
  readonly file: string
  /** Managed settings are an administrator's, and come before all others. */
  readonly managed: boolean
  /** Undefined if it cannot be read. */
  readonly text: string | undefined
  /** Whether it has no PermissionRequest hook but that of `plexus terminals`, which decides nothing about a session. */
  readonly onlyOurHook?: boolean
}

const texts = z.array(z.string()).catch([])
const Settings = z.looseObject({
  permissions: z
    .looseObject({ defaultMode: z.string().optional().catch(undefined), allow: texts.default([]) })
    .optional()
    .catch(undefined),
  hooks: z.record(z.string(), z.unknown()).optional().catch(undefined),
  disableAllHooks: z.unknown().optional(),
  apiKeyHelper: z.unknown().optional(),
  env: z.record(z.string(), z.unknown()).optional().catch(undefined),
})
type Settings = z.infer<typeof Settings>

/** Undefined if the text is no settings file. */
export function settingsIn(text: string | undefined): Settings | undefined {
  return Settings.safeParse(parseJson(text ?? '')).data
}

/** `cliVersion` is undefined where no CLI was found. */
export function judgeSettings(files: readonly SettingsFile[], cliVersion: string | undefined): Outcome[] {
  const found = files.flatMap(({ file, managed, text, onlyOurHook = false }) => {
    const settings = settingsIn(text)
    if (settings === undefined)
      return [fix(`${file} is not valid JSON, so its rules do not count; repair it.`)]
    return [
      ...ofAdministrator(file, managed, settings, cliVersion),
      ...(onlyOurHook ? [] : ofHooks(file, settings)),
      ...ofMode(file, settings),
      ...ofRules(file, settings),
      ...ofEnv(file, settings),
    ]
  })
  return found.length > 0 ? found : [ok('No setting of Claude Code changes what a session is asked.')]
}

function ofAdministrator(
  file: string,
  managed: boolean,
  { disableAllHooks }: Settings,
  cliVersion = '',
): Outcome[] {
  if (!managed || disableAllHooks !== true || isAtLeast(cliVersion, KEEPS_OUR_HOOK)) return []
  return [
    fix(
      `${file} has disableAllHooks, which in Claude Code before ${KEEPS_OUR_HOOK} switches off the hook by which Plexus sees every call. Run: claude update`,
    ),
  ]
}

function ofHooks(file: string, { hooks }: Settings): Outcome[] {
  if (hooks?.['PermissionRequest'] === undefined) return []
  return [
    note(
      `${file} has a PermissionRequest hook: it may answer a session's question first. Start with --supervise writes to keep it out.`,
    ),
  ]
}

const LOOSE_MODES = ['bypassPermissions', 'auto', 'acceptEdits']

function ofMode(file: string, { permissions }: Settings): Outcome[] {
  const mode = permissions?.defaultMode
  if (mode === undefined || !LOOSE_MODES.includes(mode)) return []
  return [
    note(
      `${file} sets the mode ${mode}: it holds in your terminals, and not in sessions, which start in their own mode.`,
    ),
  ]
}

const ANSWERS = /^mcp__plexus(?:__(?:\*|claude_respond|loopback_respond))?$/

function ofRules(file: string, { permissions }: Settings): Outcome[] {
  return (permissions?.allow ?? []).flatMap((rule) => {
    if (/^Bash(?:\([\s:*]*\))?$/.test(rule.trim()))
      return [
        fix(
          `${file} allows ${rule}: commands run unasked in sessions that are not started with --supervise writes. Remove the rule, or narrow it.`,
        ),
      ]
    if (couldAllowAnyCommand(rule))
      return [
        note(`${file} allows ${rule}, by which any program can be run; sessions are not asked about it.`),
      ]
    if (ANSWERS.test(rule.trim()))
      return [note(`${file} allows ${rule}: Claude Code answers for its sessions, and nobody asks you.`)]
    return []
  })
}

function ofEnv(file: string, { env }: Settings): Outcome[] {
  if (!env?.['CLAUDE_CODE_SKIP_PROMPT_HISTORY']) return []
  return [
    fix(
      `${file} sets CLAUDE_CODE_SKIP_PROMPT_HISTORY: sessions leave no transcript and cannot be resumed. Remove it.`,
    ),
  ]
}
