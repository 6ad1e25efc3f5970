import { z } from 'zod'
import { PERMISSION_MODES } from '../permission-modes.ts'
import { argumentText, argumentTexts, freeText, recordOf } from './argument-text.ts'
import { McpServers } from './mcp-servers.ts'
import { ToolRules } from './tool-rule.ts'

const SUPERVISION = ['asked', 'writes', 'all'] as const
const CARRIERS = ['control', 'mcp'] as const
/** The CLI only warns about any other level and goes on without it, so an unknown one is refused here. */
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

/** What a caller may say about the child itself. Nothing here starts anything: `childArgs` turns it into argv. */
export const StartOptions = z
  .strictObject(
    {
      name: argumentText('name')
        .max(200, 'name may have at most 200 characters; give a shorter one.')
        .optional(),
      workingDirectory: argumentText('workingDirectory').optional(),
      addDirs: argumentTexts('addDirs').optional(),
      model: argumentText('model').optional(),
      fallbackModel: argumentText('fallbackModel').optional(),
      effort: oneOf('effort', EFFORTS).optional(),
      permissionMode: oneOf('permissionMode', PERMISSION_MODES).default('default'),
      supervise: oneOf('supervise', SUPERVISION).default('asked'),
      allowedTools: ToolRules('allowedTools').optional(),
      disallowedTools: ToolRules('disallowedTools').optional(),
      tools: ToolRules('tools').optional(),
      maxTurns: count('maxTurns').optional(),
      maxBudgetUsd: z
        .number({ error: 'maxBudgetUsd must be a number of dollars.' })
        .positive('maxBudgetUsd must be more than 0; leave it out for no limit.')
        .optional(),
      systemPrompt: freeText('systemPrompt').optional(),
      agents: recordOf('agents', argumentText('agents: a name'), Agent).optional(),
      mcpServers: McpServers.optional(),
      outputSchema: recordOf('outputSchema', z.string(), z.json()).optional(),
      worktree: z
        .union([z.boolean(), z.string().refine(isWorktreeName, WORKTREE)], { error: WORKTREE })
        .optional(),
      env: recordOf('env', variableName(), freeText('env: a value')).optional(),
      dangerouslySkipPermissions: z
        .boolean({ error: 'dangerouslySkipPermissions must be true or false.' })
        .default(false),
      /** How it asks; without it the way that the hub was set to. */
      carrier: oneOf('carrier', CARRIERS).optional(),
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
    // The CLI lets the flag win without a word: a session asked to plan would run everything.
    error: 'dangerouslySkipPermissions cannot go with this permissionMode; leave one of the two out.',
  })

export type StartOptions = z.infer<typeof StartOptions>
export type PermissionMode = StartOptions['permissionMode']
export type Supervision = StartOptions['supervise']

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
