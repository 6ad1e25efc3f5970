import type { FileLookup } from '../shell/path-bounds.ts'
import { callFrom } from './call-text.ts'
import { compileRules } from './compiled-rules.ts'
import { decideByList } from './decide.ts'
import type { Rule } from './rule.ts'
import type { RuleCall, RuleContext } from './rule-call.ts'

/** Which example of a rule does not hold, as the end of a sentence; undefined if all hold. Pure: no file of the disk is read. */
export function failedExample(rule: Rule): string | undefined {
  const { match = [], not_match: notMatch = [] } = rule.examples ?? {}
  if (match.length + notMatch.length === 0) return undefined
  // Where and for which session it holds says nothing about what it matches.
  const { folder: _, mode: __, caller: ___, session: ____, tree: _____, expires: ______, ...bare } = rule
  const list = compileRules([bare])
  const decides = (example: string) => {
    const drawer = rule.effect === 'forbid' ? 'forbid' : 'rules'
    return decideByList(exampleCall(bare, example), EXAMPLE_CONTEXT, list, drawer).effect === rule.effect
  }
  const missed = match.find((example) => !decides(example))
  if (missed !== undefined) return `does not match its example ${JSON.stringify(missed)}`
  const wrong = notMatch.find(decides)
  return wrong === undefined
    ? undefined
    : `matches ${JSON.stringify(wrong)}, which its examples say it does not`
}

/** An example is a command, a path, an address or the name of a tool, after what the rule is about. */
function exampleCall({ tool, command, path, host }: Rule, example: string): RuleCall {
  const [first = ''] = tool ?? []
  const name = first.split('|', 1)[0]?.trim() ?? ''
  const named = name === '' || name.includes('*') ? undefined : name
  if (command) return callFrom(`${named ?? 'Bash'}(${example})`, EXAMPLE_FOLDER)
  if (path) return callFrom(`${named ?? 'Read'}(${example})`, EXAMPLE_FOLDER)
  return callFrom(host ? `WebFetch(${example})` : example, EXAMPLE_FOLDER)
}

const EXAMPLE_FOLDER = '/session'
const EMPTY_DISK: FileLookup = {
  realPath: (path) => path,
  hasEntry: () => false,
  names: () => [],
  text: () => undefined,
  hasBytes: () => undefined,
}
const EXAMPLE_CONTEXT: RuleContext = {
  place: {
    files: EMPTY_DISK,
    bounds: { folders: [EXAMPLE_FOLDER], except: [] },
    cwd: EXAMPLE_FOLDER,
    trusted: false,
  },
  userHome: '/home/user',
  sessions: [{ id: 'example' }],
  caller: 'operator',
  now: 0,
  harmlessIsAllowed: false,
}
