import { dirname } from 'node:path'
import { resolvePath } from '../../shell/path-bounds.ts'
import { problemOf } from '../check-rule.ts'
import { FileRule, type Rule } from '../rule.ts'
import { type RuleCall, type RuleContext, subjectOf } from '../rule-call.ts'
import { commandOffers } from './command-offers.ts'
import { withId } from './rule-id.ts'

type Content = Omit<Rule, 'id'>

/**
 * Rules by which calls like this one would be allowed, the narrowest first. Whether each decides this very call is for the
 * caller to try. Reads no disk but by `place`.
 */
export function offeredRules(
  call: RuleCall,
  context: Pick<RuleContext, 'place' | 'harmlessIsAllowed'>,
): Rule[] {
  return contentsOf(call, context)
    .map((content) => withId(content))
    .filter((rule) => problemOf(rule) === undefined && FileRule.safeParse(rule).success)
    .slice(0, MAX_OFFERS)
}

function contentsOf(
  call: RuleCall,
  { place, harmlessIsAllowed }: Pick<RuleContext, 'place' | 'harmlessIsAllowed'>,
): Content[] {
  const subject = subjectOf(call)
  const cwd = call.cwd === undefined ? place.cwd : place.files.realPath(call.cwd)
  switch (subject.kind) {
    case 'command':
      if (subject.line === undefined || !subject.plain || cwd === undefined) return []
      return commandOffers(subject.line, { ...place, cwd }, harmlessIsAllowed)
    case 'file':
      return fileOffers(call.toolName, subject.path, { ...place, cwd: cwd ?? place.cwd })
    case 'host':
      return subject.host === undefined
        ? []
        : [{ effect: 'allow', tool: [call.toolName], host: [literal(subject.host)] }]
    case 'other':
      return otherOffers(call.toolName)
  }
}

/** The file, the folder that it is in, the folder of the session. */
function fileOffers(
  toolName: string,
  path: string | undefined,
  { files, bounds, cwd }: RuleContext['place'],
): Content[] {
  const real = path === undefined ? undefined : resolvePath(files, cwd, path)
  if (real === undefined || real.includes('*')) return []
  const [folder] = bounds.folders
  const isInside = folder !== undefined && real.startsWith(`${folder}/`)
  const paths = new Set([real, ...(isInside ? [dirname(real), folder] : [])])
  return [...paths].map((one) => ({ effect: 'allow', tool: [toolName], path: [one] }))
}

/** A tool of an MCP server, whatever it is given; of the other tools only one that changes nothing here. */
function otherOffers(toolName: string): Content[] {
  const [, server = '', tool = ''] = /^mcp__(.+?)__(.+)$/.exec(toolName) ?? []
  if (server !== '') return [{ effect: 'allow', mcp: { server, tool: [literal(tool)] } }]
  return toolName === 'WebSearch' ? [{ effect: 'allow', tool: [toolName] }] : []
}

function literal(text: string): string {
  return text.replace(/[\\*]/g, String.raw`\$&`)
}

const MAX_OFFERS = 3
