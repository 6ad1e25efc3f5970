import type { z } from 'zod'
import type { ApprovalId, CallerId, GrantId, RunId, SessionId } from '../../../src/base/ids.ts'

/** The same type with plain text in place of ids, so that a test can write `id: 's1'`. */
export type PlainIds<T> = T extends string
  ? T extends z.core.$brand
    ? string
    : T
  : T extends object
    ? { [Field in keyof T]: Field extends 'config' ? T[Field] : PlainIds<T[Field]> }
    : T

/** A row of a test: its plain text becomes ids of the kinds that its fields have. */
export function branded<T>(plain: PlainIds<T>): T {
  return plain as T
}

export const asSessionId = (text: string) => text as SessionId
export const asApprovalId = (text: string) => text as ApprovalId
export const asCallerId = (text: string) => text as CallerId
export const asRunId = (text: string) => text as RunId
export const asGrantId = (text: string) => text as GrantId
