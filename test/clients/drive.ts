import type { Parent } from './stage.ts'
import type { ToolResult } from './parent.ts'

/** A parent that calls tools itself, where the client has no model; gives what it says in the end. */
export async function drive(
  parent: Parent,
  call: (tool: string, input: Record<string, unknown>) => Promise<ToolResult>,
): Promise<string> {
  const results: ToolResult[] = []
  for (;;) {
    const next = await parent.next(results)
    if ('say' in next) return next.say
    results.push(
      await call(next.tool, next.input).catch((error: unknown) => ({ text: String(error), isError: true })),
    )
  }
}
