import { z } from 'zod'
import { BudgetSchema } from '../../budgets/budget-schema.ts'
import { PERMISSION_MODES } from '../../base/permission-modes.ts'
import { NarrowingRules } from '../../rules/rules-file.ts'
import { argumentText, argumentTexts, freeText, recordOf } from './argument-text.ts'
import { McpServers } from './mcp-servers.ts'
import { ToolRules } from './tool-rule.ts'

const SUPERVISION = ['asked', 'writes', 'all'] as const
const CARRIERS = ['control', 'mcp'] as const
/** The CLI only warns about any other level and continues without it, so an unknown level is refused here. */
const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const
const WORKTREE = 'worktree must be true, false, or a name of letters, digits and . _ - / without ".." in it.'

/** Strict, because the CLI also takes hooks, MCP servers and a permission mode here: code that nobody is asked about. */
const Agent = z.strictObject(
  {
    description: freeText('agents: description').min(1, 'agents: description may not be empty.'),
    prompt: freeText('agents: prompt').min(1, 'agents: prompt may not be empty.'),
    tools: argumentTexts('agents: tools').optional(),
    disallowedTools: argumentTexts('agents: disallowedTools').optional(),
    model: argumentText('agents: model').optional(),
    maxTurns: count('agents: maxTurns').optional(),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `agents: an agent may have description, prompt, tools, disallowedTools, model and maxTurns; leave out ${issue.keys.join(', ')}.`
        : 'agents must be an object of agents by name, each with description and prompt.',
  },
)

/** Not like the short id of a question, `web.3`: each question of a session is named so. */
export const SessionName = argumentText('name')
  .max(200, 'name may have at most 200 characters; give a shorter one.')
  .refine((name) => !/\.[1-9]\d{0,8}$/.test(name), {
    error: 'name may not end with a dot and a number, because the questions of a session are named so.',
  })

/** The options of a caller for the child itself. Nothing here starts anything: `childArgs` turns them into argv. */
export const StartOptions = z
  .strictObject(
    {
      name: SessionName.optional().describe('A name to use in place of the id.'),
      workingDirectory: argumentText('workingDirectory')
        .optional()
        .describe('The folder to work in, as a full path; by default that of the client.'),
      addDirs: argumentTexts('addDirs').optional().describe('More folders to work in.'),
      model: argumentText('model')
        .optional()
        .describe("Such as sonnet or a full model id; by default the user's own."),
      fallbackModel: argumentText('fallbackModel')
        .optional()
        .describe('The model to use when the first is overloaded.'),
      effort: oneOf('effort', EFFORTS).optional().describe('How hard the model thinks.'),
      permissionMode: oneOf('permissionMode', PERMISSION_MODES)
        .default('default')
        .describe(
          'default: asks before it writes or runs things; acceptEdits: edits files unasked; plan: reads only, then has its plan approved; dontAsk: what is not allowed is refused; bypassPermissions, auto: ask about nothing, need the scope bypass.',
        ),
      supervise: oneOf('supervise', SUPERVISION)
        .default('asked')
        .describe(
          'What is asked: asked (what the rules of Claude Code ask about), writes (all but read-only tools), all (every tool call).',
        ),
      allowedTools: ToolRules('allowedTools')
        .optional()
        .describe(
          'Rules for what needs no answer, such as Read or Bash(git diff:*). A rule that could allow any command needs the scope bypass.',
        ),
      rules: NarrowingRules.optional().describe('Rules: deny, ask.'),
      disallowedTools: ToolRules('disallowedTools').optional().describe('Refused tool rules.'),
      tools: ToolRules('tools').optional().describe('The only built-in tools that it has.'),
      maxTurns: count('maxTurns').optional().describe('The most steps of the model.'),
      maxBudgetUsd: z
        .number({ error: 'maxBudgetUsd must be a number of dollars.' })
        .positive('maxBudgetUsd must be more than 0; leave it out for no limit.')
        .optional()
        .describe('The same as budget.usd.'),
      budget: BudgetSchema.optional().describe(
        'What it and all sessions below it may spend: { usd, tokens, toolCalls, seconds }.',
      ),
      systemPrompt: freeText('systemPrompt').optional().describe('Added to the system prompt.'),
      agents: recordOf('agents', argumentText('agents: a name'), Agent)
        .optional()
        .describe('Sub-agents by name, each with description and prompt.'),
      mcpServers: McpServers.optional().describe(
        'MCP servers by name: { type: http | sse, url, headers }; a command needs the scope bypass.',
      ),
      outputSchema: recordOf('outputSchema', z.string(), z.json())
        .optional()
        .describe('A JSON Schema for structuredOutput of the result.'),
      worktree: z
        .union([z.boolean(), z.string().refine(isWorktreeName, WORKTREE)], { error: WORKTREE })
        .optional()
        .describe('true or a name: work in a git worktree of its own.'),
      env: recordOf('env', variableName(), freeText('env: a value'))
        .optional()
        .describe('Environment variables; needs the scope bypass.'),
      dangerouslySkipPermissions: z
        .boolean({ error: 'dangerouslySkipPermissions must be true or false.' })
        .default(false)
        .describe('Ask about nothing; needs the scope bypass.'),
      nested: z
        .boolean({ error: 'nested must be true or false.' })
        .optional()
        .describe(
          'It may start sessions below it with these same tools, and answers for them; at most 3 deep.',
        ),
      wakeParent: z
        .boolean({ error: 'wakeParent must be true or false.' })
        .optional()
        .describe('Wake the session that starts it, by a prompt, when it asks or ends.'),
      carrier: oneOf('carrier', CARRIERS).optional().describe('How questions reach Plexus'),
    },
    {
      error: (issue) =>
        issue.code === 'unrecognized_keys'
          ? `There is no start option ${issue.keys.join(', ')}; remove it or correct its name.`
          : 'The start options must be an object.',
    },
  )
  .refine((options) => !options.dangerouslySkipPermissions || bypasses(options.permissionMode), {
    path: ['dangerouslySkipPermissions'],
    // For the CLI the flag wins, without a warning: a session in plan mode would run everything.
    error: ({ input }) =>
      `dangerouslySkipPermissions cannot go with permissionMode ${modeIn(input)}; leave one of the two out.`,
  })

export type StartOptions = z.infer<typeof StartOptions>
export type Supervision = StartOptions['supervise']

function modeIn(input: unknown): string {
  return z.object({ permissionMode: z.string() }).safeParse(input).data?.permissionMode ?? 'plan'
}

function bypasses(mode: (typeof PERMISSION_MODES)[number]): boolean {
  return mode === 'default' || mode === 'bypassPermissions' || mode === 'cli'
}

function isWorktreeName(name: string): boolean {
  return /^\w[\w./-]*$/.test(name) && name.split('/').every((part) => !['', '.', '..'].includes(part))
}

function variableName() {
  return z.string().regex(/^[A-Za-z_]\w*$/, 'env: a name may have letters, digits and "_" only.')
}

function count(field: string) {
  return z.int({ error: `${field} must be a whole number.` }).positive(`${field} must be at least 1.`)
}

function oneOf<const Values extends readonly [string, ...string[]]>(field: string, values: Values) {
  return z.enum(values, { error: `${field} must be one of ${values.join(', ')}.` })
}
