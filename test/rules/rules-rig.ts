import { decideByList, decideForbidden } from '../../src/rules/decide.ts'
import type { RuleCall, RuleContext } from '../../src/rules/rule-call.ts'
import { type LoadedRules, parseRules } from '../../src/rules/rules-file.ts'
import type { Verdict } from '../../src/rules/verdict.ts'
import type { FileLookup } from '../../src/shell/path-bounds.ts'

/** A disk with these folders and links, and nothing else. */
function aDisk(folders: readonly string[], links: Readonly<Record<string, string>> = {}): FileLookup {
  const real = (path: string): string | undefined => {
    const bare = path.replace(/\/\.?$/, '') || '/'
    const target = links[bare]
    if (target !== undefined) return folders.includes(target) ? target : undefined
    return folders.includes(bare) ? bare : undefined
  }
  return {
    realPath: real,
    hasEntry: (path) => path in links || folders.includes(path),
    names: (folder) => (folders.includes(folder) ? [] : undefined),
    text: () => undefined,
    hasBytes: () => undefined,
  }
}

const HOME = '/home/me/.local/state/plexus'

export function aContext(changes: Partial<RuleContext> = {}): RuleContext {
  return {
    place: {
      files: aDisk(['/', '/work', '/code/web', '/code/web/src', '/home/me', '/home/me/.ssh', HOME], {
        '/code/web/out': '/home/me',
      }),
      bounds: { folders: ['/code/web'], except: [HOME] },
      cwd: '/code/web',
      trusted: false,
    },
    userHome: '/home/me',
    sessions: [{ id: 's1', name: 'web' }],
    caller: 'operator',
    now: Date.parse('2026-11-01T00:00:00Z'),
    harmlessIsAllowed: true,
    ...changes,
  }
}

export function rulesOf(rules: readonly object[], forbid: readonly object[] = []): LoadedRules {
  return parseRules(JSON.stringify({ v: 1, forbid, rules }))
}

/** What the two lists of a home folder say of a call. */
export function verdictOn(call: RuleCall, rules: LoadedRules, context = aContext()): Verdict {
  const forbidden = decideForbidden(call, context, rules)
  return forbidden.effect === 'none' ? decideByList(call, context, rules.rules, 'rules') : forbidden
}

export function bash(command: string, cwd: string | undefined = '/code/web'): RuleCall {
  return { toolName: 'Bash', input: { command }, cwd }
}

/** The effect on a command line. */
export function effectOn(line: string, rules: LoadedRules, context = aContext()): Verdict['effect'] {
  return verdictOn(bash(line), rules, context).effect
}
