import { AppError } from '../base/errors.ts'
import { definedFields } from '../base/defined-fields.ts'
import { endMeaning, endOf } from './ends/question-end.ts'
import type { Approval } from './approval.ts'

/** Says who settled the question first and how. It does not repeat the input, which may be megabytes. */
export function alreadySettledError(approval: Approval): AppError {
  const { id, status, by, level, via, settledAt } = approval
  const end = endOf(approval)
  const byCaller = by === undefined ? '' : ` by ${by}`
  return new AppError(
    'already_settled',
    `This question is ${endMeaning(end) === undefined ? status : end}${byCaller} already; nothing was changed.`,
    {
      data: {
        approval: {
          id,
          status,
          ...definedFields({
            end: approval.end,
            supersededBy: approval.supersededBy,
            by,
            level,
            via,
            message: reasonOf(approval),
            settledAt,
          }),
        },
      },
    },
  )
}

/** The reason of a denial, shortened. */
function reasonOf({ decision }: Approval): string | undefined {
  if (decision?.behavior !== 'deny') return undefined
  const { message } = decision
  return message.length > MAX_REASON ? `${message.slice(0, MAX_REASON)} …` : message
}

const MAX_REASON = 1_000
