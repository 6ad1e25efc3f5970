import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import type { CallEvent, CallOutcome } from '../../api/operation/operation-call.ts'
import { ASKS } from '../../base/ask-setting.ts'
import { parseInput } from '../../base/parse-input.ts'
import type { Caller } from '../../callers/access-rules.ts'
import { reply } from '../http/reply.ts'
import { jsonOfResult } from '../operation/tool-result.ts'
import { offeredOperation, runByName } from '../operation/operation-by-name.ts'
import type { RunParts } from '../operation/run-operation.ts'
import { startHeartbeat } from '../../async/heartbeat.ts'

const Ids = z.array(z.string()).max(1_000)
const Call = z.object({
  tool: z.string(),
  arguments: z.unknown(),
  workingDirectory: z.string().optional(),
  ask: z.enum(ASKS).optional(),
  timeoutMs: z.int().min(0).optional(),
  notice: z.string().optional(),
  known: z.object({ sessions: Ids, questions: Ids }),
  again: z.object({ sessionId: z.string().optional(), promptId: z.string().optional() }).optional(),
  waitedMs: z.number().min(0).optional(),
  observe: z.boolean().optional(),
})

/**
 * One call of an operation by a client of ours on the socket. The response has a line for each thing that happens meanwhile,
 * one for what is known afterwards, and the rest is the result as MCP has it, for the client to pass on unread.
 */
export async function answerOperation(
  response: ServerResponse,
  parts: RunParts,
  { caller, signal }: { readonly caller: Caller; readonly signal: AbortSignal },
  body: string,
): Promise<void> {
  const call = parseInput(Call, JSON.parse(body))
  const { waits } = offeredOperation(caller, call)
  const begin = () => {
    if (!response.headersSent) response.writeHead(200, HEADERS)
  }
  const onEvent = async (event: CallEvent) => {
    if (signal.aborted) return
    begin()
    if (response.write(`${JSON.stringify(event)}\n`)) return
    await once(response, 'drain', { signal }).catch(() => {})
  }
  const beat = () => {
    begin()
    response.write('\n')
  }
  const endHeartbeat = waits ? startHeartbeat(beat) : undefined
  try {
    const answer = await runByName(parts, call, { caller, signal, onEvent })
    // A wait that the end of this hub has cut short is no result: the next hub is asked to wait.
    if (signal.aborted && answer.hasWaited) return void response.destroy()
    const { memory, noticed, looked } = answer
    const outcome: CallOutcome & { type: 'outcome' } = { type: 'outcome', memory, noticed, looked }
    const text = `${JSON.stringify(outcome)}\n${jsonOfResult(answer.result)}`
    if (response.headersSent) response.end(text)
    else reply(response, 200, text, HEADERS)
  } finally {
    endHeartbeat?.()
  }
}

const HEADERS = { 'content-type': 'application/x-ndjson' }
