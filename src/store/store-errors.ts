import { AppError } from '../base/errors.ts'

/** What every store says in the same words. */
export function noSession(id: string): AppError {
  return new AppError('not_found', `There is no session ${id}; it may have been removed.`)
}

export function noApproval(id: string): AppError {
  return new AppError('not_found', `There is no approval ${id} in this session; list the pending ones.`)
}

export function nameTaken(name: string): AppError {
  return new AppError('in_use', `Another session has the name "${name}"; choose another one.`)
}

export function idTaken(what: string): AppError {
  return new AppError('in_use', `There is already a ${what} with this id; use a new one.`)
}

export function tokenTaken(): AppError {
  return new AppError('in_use', 'Another caller has this token; make a new one.')
}
