import { parse } from 'unbash'
import { decideByList, decideForbidden } from '../../src/rules/decide.ts'
import { type LoadedRules, parseRules } from '../../src/rules/rules-file.ts'

const TIMES = 2_000
const COMMAND = 'git commit -m "fix: the port" && npm test -- --run'

const DECIDING: readonly object[] = [
  { id: 'commit', effect: 'allow', command: 'git commit *' },
  { id: 'test', effect: 'allow', command: 'npm test *' },
]

/** Rules for many programs, and many for one program; those that decide come last. */
export function rulesFor(count: number, last = DECIDING): LoadedRules {
  const rules = Array.from({ length: count - last.length - 1 }, (_, index) => ({
    id: `r${index}`,
    effect: index % 2 === 0 ? 'allow' : 'ask',
    command: index % 3 === 0 ? `git sub${index} *` : `program${index} run *`,
  }))
  const forbid = [{ id: 'force', command: 'git push * --force *', because: 'Not here.' }]
  return parseRules(JSON.stringify({ v: 1, forbid, rules: [...rules, ...last] }))
}

/** Paths are resolved already: the disk is empty. */
const CONTEXT = {
  place: {
    files: {
      realPath: (path: string) => path,
      hasEntry: () => false,
      names: () => [],
      text: () => undefined,
      hasBytes: () => undefined,
    },
    bounds: { folders: ['/work'], except: [] },
    cwd: '/work',
    trusted: false,
  },
  sessions: [{ id: 's' }],
  caller: 'operator',
  now: 0,
  harmlessIsAllowed: true,
}
export function decisionsPerRun(rules: LoadedRules): void {
  for (let time = 0; time < TIMES; time += 1) {
    const call = { toolName: 'Bash', input: { command: commandOf(time) }, cwd: '/work' }
    decideForbidden(call, CONTEXT, rules)
    if (decideByList(call, CONTEXT, rules.rules, 'rules').effect !== 'allow')
      throw new Error('It is not allowed.')
  }
}

export function parsesPerRun(): void {
  for (let time = 0; time < TIMES; time += 1) parse(commandOf(time))
}

/** Another one each time, because the last line that was parsed is kept. */
function commandOf(time: number): string {
  return `${COMMAND} ${time}`
}
