import type { OperationCall } from '../../api/operation/operation-call.ts'
import type { Operation } from '../../api/operation/operation.ts'
import { operationOfTool, requireOffered } from '../../api/operations.ts'
import { AppError } from '../../base/errors.ts'
import type { Caller } from '../../callers/access-rules.ts'
import { type CallerClaim, claimFromHeaders } from '../../callers/caller-claim.ts'
import type { HubAddress } from '../../hub-client/hub-address.ts'
import { UnknownToken } from '../../hub-client/hub-responses.ts'
import { jsonOfResult } from './tool-result.ts'
import { type OperationCaller, type RunAnswer, runOperation, type RunParts } from './run-operation.ts'

/** The operation that a call names, if the caller may use it. */
export function offeredOperation(caller: Caller, { tool }: Pick<OperationCall, 'tool'>): Operation {
  const operation = operationOfTool(tool)
  if (!operation) throw new AppError('invalid_input', `There is no tool ${tool.slice(0, 100)} here.`)
  requireOffered(caller, operation.name)
  return operation
}

export function runByName(parts: RunParts, call: OperationCall, from: OperationCaller): Promise<RunAnswer> {
  const caller = { ...from.caller, via: from.caller.via ?? ('tool' as const) }
  return runOperation(parts, offeredOperation(caller, call), call, { ...from, caller })
}

interface InProcess extends RunParts {
  readonly identify: (token: string, claim: CallerClaim) => Promise<Caller | undefined>
}

/** Calls from the process that the hub is in: with a token, as from any other process, and without a socket. */
export function inProcessCalls(
  { identify, ...parts }: InProcess,
  token: string,
): NonNullable<HubAddress['inProcess']> {
  return async (call, { headers, signal, onEvent }) => {
    const caller = await identify(token, claimFromHeaders(headers))
    if (!caller) throw new UnknownToken()
    const { result, memory, noticed, looked } = await runByName(parts, call, { caller, signal, onEvent })
    return { memory, noticed, looked, resultText: jsonOfResult(result) }
  }
}
