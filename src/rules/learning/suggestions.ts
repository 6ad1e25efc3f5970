import { dirname } from 'node:path'
import { commandStart } from '../../shell/programs-that-run-programs.ts'
import { isWithin, resolvePath } from '../../shell/path-bounds.ts'
import { problemOf } from '../check-rule.ts'
import { parsedLine, wordsOf } from '../lines/read-commands.ts'
import { FileRule, type Rule } from '../rule.ts'
import { type RuleContext, subjectOf } from '../rule-call.ts'
import { type Cover, coverBoth, coverOf, patternOf } from './cover-commands.ts'
import type { PastQuestion } from './past-question.ts'
import { withId } from './rule-id.ts'

type Content = Omit<Rule, 'id'>
type Answer = 'allow' | 'deny'

/** Questions of one kind that were answered alike, as the narrowest rule that covers them. */
interface Group {
  readonly answer: Answer
  count: number
  /** The folder of their sessions, while it is the same for all. */
  folder: string | undefined
  cover: Cover | undefined
  path: string | undefined
  /** What does not grow: the host or the tool. */
  readonly fixed: Partial<Content>
}

/** A rule that would have given the answers that were given. */
export interface Suggestion {
  readonly rule: Rule
  /** How many answers it would have given. */
  readonly answers: number
}

/** Collects answers; its memory has a limit, whatever the number of answers is. */
export class AnswerGroups {
  readonly #groups = new Map<string, Group>()

  /** An answer of a caller: a yes or a no to a call of a tool. */
  add(question: PastQuestion, context: RuleContext, answer: Answer): void {
    const { call } = question
    const subject = subjectOf(call)
    const [folder = ''] = context.place.bounds.folders
    if (subject.kind === 'command') {
      if (!subject.plain || subject.line === undefined) return
      for (const command of parsedLine(subject.line).simple ?? []) {
        const { name, args, writes, reads } = command
        const start = commandStart([name, args[0]?.text ?? ''])
        const cover = writes.length + reads.length > 0 ? undefined : coverOf(wordsOf(command))
        if (start !== undefined && cover && name !== 'cd')
          this.#add(`${answer} command ${start}`, { answer, folder, cover, path: undefined, fixed: {} })
      }
      return
    }
    if (subject.kind === 'file') {
      const { files, cwd } = context.place
      const real = subject.path === undefined ? undefined : resolvePath(files, call.cwd ?? cwd, subject.path)
      if (real === undefined || real.includes('*') || !isWithin(real, folder)) return
      const fixed = { tool: [call.toolName] }
      this.#add(`${answer} file ${call.toolName} ${folder}`, {
        answer,
        folder,
        cover: undefined,
        path: real,
        fixed,
      })
      return
    }
    const fixed = fixedContent(call.toolName, subject.kind === 'host' ? subject.host : undefined)
    if (fixed)
      this.#add(`${answer} ${JSON.stringify(fixed)}`, {
        answer,
        folder,
        cover: undefined,
        path: undefined,
        fixed,
      })
  }

  /** The rules for what was answered alike at least three times. */
  suggestions(): Suggestion[] {
    return [...this.#groups.values()].flatMap((group) => {
      const rule = group.count < MIN_ANSWERS ? undefined : ruleOf(group)
      return rule && problemOf(rule) === undefined && FileRule.safeParse(rule).success
        ? [{ rule, answers: group.count }]
        : []
    })
  }

  #add(key: string, one: Omit<Group, 'count'>): void {
    const known = this.#groups.get(key)
    if (!known) {
      if (this.#groups.size < MAX_GROUPS) this.#groups.set(key, { ...one, count: 1 })
      return
    }
    known.count += 1
    if (known.folder !== one.folder) known.folder = undefined
    if (known.cover && one.cover) known.cover = coverBoth(known.cover, one.cover)
    if (known.path !== undefined && one.path !== undefined) known.path = commonPath(known.path, one.path)
  }
}

function ruleOf({ answer, folder, cover, path, fixed }: Group): Rule | undefined {
  if (path !== undefined && folder !== undefined && !isWithin(path, folder)) return undefined
  return withId({
    effect: answer,
    ...fixed,
    ...(cover ? { command: [patternOf(cover)] } : {}),
    ...(path === undefined ? {} : { path: [path] }),
    ...(cover && folder !== undefined && folder !== '' ? { folder } : {}),
    ...(answer === 'deny' ? { because: 'This was denied each time that it was asked.' } : {}),
  })
}

function fixedContent(toolName: string, host: string | undefined): Partial<Content> | undefined {
  if (host !== undefined) return { tool: [toolName], host: [host] }
  const [, server = '', tool = ''] = /^mcp__([^*\\]+?)__([^*\\]+)$/.exec(toolName) ?? []
  if (server !== '') return { mcp: { server, tool: [tool] } }
  return toolName === 'WebSearch' ? { tool: [toolName] } : undefined
}

/** The folder that both lie in, or the file that both are. */
function commonPath(a: string, b: string): string {
  let folder = a
  while (!isWithin(b, folder)) folder = dirname(folder)
  return folder
}

const MIN_ANSWERS = 3
const MAX_GROUPS = 2_000
