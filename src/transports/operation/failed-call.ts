import { operationOfTool } from '../../api/operations.ts'
import type { Log } from '../../base/log.ts'
import { isInternal } from '../error-response.ts'
import { failedResult } from './run-operation.ts'

/** The result for a call that no hub has answered, as JSON. */
export function failedCall(tool: string, error: unknown, log: Log): string {
  if (isInternal(error)) log.error('A call of MCP failed.', { error })
  return JSON.stringify(failedResult(error, operationOfTool(tool) ?? {}))
}
