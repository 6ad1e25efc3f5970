import {
  type CommandArgument,
  type CommandNode,
  parse,
  type PipelineNode,
  type Redirection,
  type Statement,
  type WordPart,
} from 'unbash'
import { commandStart } from '../callers/running-others.ts'

/**
 * Rules by which a command like this one needs no answer: one for each program in it, open behind the program and its
 * sub-command. Only where every word says itself what it is; none where the program is one that runs others. Pure.
 */
export function ownSuggestion(command: string): string[] {
  if (command.length > MOST_CHARACTERS) return []
  const script = parse(command)
  if (script.errors?.length || script.commands.length === 0) return []
  const starts = script.commands.flatMap(startsOf)
  const whole = starts.filter((start) => start !== undefined)
  return whole.length === starts.length ? [...new Set(whole.map((start) => `${start} *`))] : []
}

type Start = string | undefined

/** Joined by `;`, `&&`, `||` or `|`; what goes on in the background is more than that. */
function startsOf({ command, background }: Statement): Start[] {
  if (background) return [undefined]
  return command.type === 'AndOr' ? command.commands.flatMap(ofPipeline) : ofPipeline(command)
}

function ofPipeline(node: PipelineNode): Start[] {
  if (node.type !== 'Pipeline') return [ofCommand(node)]
  return node.prefixes.length > 0 ? [undefined] : node.commands.map(ofCommand)
}

function ofCommand(node: CommandNode): Start {
  if (node.type !== 'Command' || !node.name || node.prefix.length > 0) return undefined
  if (!node.redirects.every(goesNowhere)) return undefined
  const words = [node.name, ...node.args].map(literalOf)
  const [program = '', second = ''] = words
  // What a path means depends on the folder, and a rule knows none.
  return words.includes(undefined) || program.includes('/') ? undefined : commandStart([program, second])
}

/** To where nothing is kept, or to another output of the same command. */
function goesNowhere(redirect: Redirection): boolean {
  if (redirect.type !== 'Redirect' || !redirect.target) return false
  const target = literalOf(redirect.target)
  const { operator } = redirect
  if (operator === '>&') return target === '1' || target === '2'
  return target === '/dev/null' && ['>', '>>', '&>', '&>>'].includes(operator)
}

/** The word as it is written; undefined where a shell would make another one of it. */
function literalOf(argument: CommandArgument): string | undefined {
  if (argument.type !== 'Word') return undefined
  return (argument.parts ?? []).every(isLiteral) ? argument.text : undefined
}

function isLiteral(part: WordPart): boolean {
  if (part.type === 'DoubleQuoted') return part.parts.every(({ type }) => type === 'Literal')
  return part.type === 'Literal' || part.type === 'SingleQuoted'
}

/** A command that nobody reads to its end is none to make a rule of. */
const MOST_CHARACTERS = 2_000
