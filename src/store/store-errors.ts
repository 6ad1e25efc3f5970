import { AppError } from '../base/errors.ts'

/** The errors that every store throws with the same sentences. */
export function noSessionError(id: string): AppError {
  return new AppError('not_found', `There is no session ${id}; it may have been removed.`)
}

export function noApprovalError(id: string): AppError {
  return new AppError('not_found', `There is no approval ${id} in this session; list the pending ones.`)
}

export function nameTakenError(name: string): AppError {
  return new AppError('in_use', `Another session has the name "${name}"; choose another one.`)
}

export function idTakenError(what: string): AppError {
  return new AppError('in_use', `There is already a ${what} with this id; use a new one.`)
}

export function tokenTakenError(): AppError {
  return new AppError('in_use', 'Another caller has this token; make a new one.')
}
