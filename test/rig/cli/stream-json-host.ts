/** A program that runs Claude Code over stream-json, as editors and SDKs do, and what it does with a form. */
import { z } from 'zod'
import { connected, type Line, type PipedCli, type PipedCliPlace, startPipedCliIn } from './piped-cli.ts'

const FormRequest = z.looseObject({
  request_id: z.string(),
  request: z.looseObject({ subtype: z.literal('elicitation'), message: z.string() }),
})

/** What a host answers to a form with this text; undefined is no answer at all. */
export type FormHabit = (message: string) => object | undefined

/** The kinds of hosts that there are. */
export const HABITS = {
  /** A host with a form handler whose person allows everything. */
  answers: () => ({ action: 'accept', content: { decision: 'allow' } }),
  /** The Agent SDK without a handler: at once, and nobody was asked. */
  declines: () => ({ action: 'decline' }),
  /** A host that does not know forms and ignores them. */
  silent: () => undefined,
} satisfies Record<string, FormHabit>

export interface StreamJsonHost {
  readonly cli: PipedCli
  /** The texts of the forms that it was given. */
  readonly forms: readonly string[]
}

/** A host with these MCP servers (`mcp.json` of the CLI), whose tools need no question there; it is connected. */
export async function startStreamJsonHost(
  place: PipedCliPlace & { readonly mcpConfig: string },
  modelUrl: string,
  habit: FormHabit,
): Promise<StreamJsonHost> {
  const args = [`--mcp-config=${place.mcpConfig}`, '--strict-mcp-config', '--allowedTools=mcp__plexus']
  const cli = await startPipedCliIn(place, modelUrl, ...args)
  const forms: string[] = []
  void answerForms(cli, habit, forms)
  await connected(cli)
  return { cli, forms }
}

async function answerForms(cli: PipedCli, habit: FormHabit, forms: string[]): Promise<void> {
  const seen = new Set<string>()
  for (;;) {
    const form = await nextForm(cli, seen)
    if (!form) return
    seen.add(form.request_id)
    forms.push(form.request.message)
    const response = habit(form.request.message)
    if (response)
      cli.write({
        type: 'control_response',
        response: { subtype: 'success', request_id: form.request_id, response },
      })
  }
}

/** Undefined when the CLI has ended. */
async function nextForm(cli: PipedCli, seen: ReadonlySet<string>): Promise<FormRequestLine | undefined> {
  const isNew = (line: Line) => {
    const form = FormRequest.safeParse(line)
    return form.success && !seen.has(form.data.request_id)
  }
  const line = await cli.line(isNew).catch(() => undefined)
  return line && FormRequest.parse(line)
}

type FormRequestLine = z.infer<typeof FormRequest>
