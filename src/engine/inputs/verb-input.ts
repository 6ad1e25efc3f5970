import type { z } from 'zod'
import { PERMISSION_MODES } from '../../base/permission-modes.ts'
import { selector, strictFields } from '../../base/input-fields.ts'

/** The input of a verb. Unknown fields are refused, and errors name the field. */
export function params<Shape extends z.ZodRawShape>(shape: Shape) {
  return strictFields(shape, 'params')
}

export const sessionId = selector('sessionId')
export const OneSession = params({ sessionId })
export const MAX_DAYS = 366
/** The modes that a running session can be set to. */
export const MODES = PERMISSION_MODES.filter((mode) => mode !== 'cli')
