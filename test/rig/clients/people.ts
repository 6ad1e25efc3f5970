/** The people at MCP clients. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Filled, Form, Person } from './mcp-clients.ts'

export const ALLOW: Filled = { action: 'accept', content: { decision: 'allow' } }

/** A person who gives these answers in turn, and what they were shown. */
export function answering(...answers: readonly Filled[]): { person: Person; shown: Form[] } {
  const shown: Form[] = []
  const person: Person = (form) => {
    shown.push(form)
    return answers[shown.length - 1] ?? { action: 'cancel' }
  }
  return { person, shown }
}

/** Longer than a form can take and still be nobody's. */
export const READING_MS = 1_050

/** For a person who takes their time. */
export function resolvable<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  const waiting: ((value: T) => void)[] = []
  const promise = new Promise<T>((done) => waiting.push(done))
  return { promise, resolve: (value) => waiting[0]?.(value) }
}

/** The same person, who reads first: by the clock of another process, only so is it a person's answer. */
export function slowly(person: Person): Person {
  return async (form, signal) => {
    await sleep(READING_MS)
    return person(form, signal)
  }
}
