import type { SessionEvent } from '../../events/session-event.ts'
import { definedFields } from '../../base/defined-fields.ts'
import type { SystemLine } from './child-line.ts'

export function systemEvents(line: SystemLine): SessionEvent[] {
  switch (line.subtype) {
    case 'init': {
      const { model, permissionMode, cwd: workingDirectory, claude_code_version: cliVersion } = line
      return [
        {
          type: 'turn.started',
          cliSessionId: line.session_id,
          ...definedFields({ model, permissionMode, workingDirectory, cliVersion }),
        },
      ]
    }
    case 'status':
      return line.permissionMode ? [{ type: 'mode.changed', mode: line.permissionMode }] : []
    case 'api_retry': {
      const { attempt, max_retries: maxRetries, retry_delay_ms: delayMs, error } = line
      return [
        {
          type: 'api.retried',
          attempt,
          maxRetries,
          delayMs,
          error: error ?? '',
          ...definedFields({ status: line.error_status }),
        },
      ]
    }
    case 'permission_denied':
      return [
        {
          type: 'tool.refused',
          toolUseId: line.tool_use_id,
          toolName: line.tool_name,
          message: line.message ?? '',
        },
      ]
    case 'compact_boundary': {
      const { trigger, pre_tokens: before, post_tokens: after } = line.compact_metadata
      return [{ type: 'context.compacted', trigger, ...definedFields({ before, after }) }]
    }
    case 'task_started': {
      const { task_id: taskId, task_type: kind, description, tool_use_id: toolUseId } = line
      return [
        {
          type: 'task.started',
          taskId,
          kind: kind ?? '',
          description: description ?? '',
          ...definedFields({ toolUseId }),
        },
      ]
    }
    case 'task_updated':
      return taskEnd(line.task_id, line.patch?.status)
    case 'task_notification':
      return taskEnd(line.task_id, line.status)
  }
}

function taskEnd(taskId: string, status: string | null | undefined): SessionEvent[] {
  return status && ENDED.has(status) ? [{ type: 'task.ended', taskId, status }] : []
}

const ENDED = new Set(['completed', 'failed', 'killed', 'stopped', 'error'])
