/** What the second API family answers with, as far as tests look at it. */
import type { Hub } from '../hubs/hub.ts'

export interface Approved {
  readonly id: string
  readonly tool_name: string
  readonly tool_use_id: string
  readonly input: Record<string, unknown>
  readonly created_at: number
  readonly expires_at?: number
}

export interface Polled {
  readonly type: string
  readonly status: string
  readonly turn: number
  readonly events: readonly { seq: number; event: Record<string, unknown> & { type: string } }[]
  readonly pending_approvals: readonly Approved[]
  readonly read_position: number
  readonly total_events: number
  readonly has_more: boolean
}

export type Params = Record<string, unknown>
export type Call = <T = Params>(method: string, params?: object) => Promise<T>

/** Polls until the session needs someone or has ended and everything is read; all of that as one. */
export async function pollToRest(call: Call, params: Params): Promise<Polled> {
  const events: Polled['events'][number][] = []
  for (;;) {
    const page = await call<Polled>('claudecode.poll', { ...params, wait_seconds: 50 })
    if (page.type !== 'ok') throw new Error(JSON.stringify(page))
    events.push(...page.events)
    if (page.status !== 'running' && !page.has_more) return { ...page, events }
  }
}

export const callerOf =
  (hub: Hub): Call =>
  (method, params = {}) =>
    hub.call(method, params)

export const typesOf = ({ events }: Polled): string[] => events.map(({ event }) => event.type)
export const seqsOf = ({ events }: Polled): number[] => events.map(({ seq }) => seq)
export const countTo = (end: number): number[] => Array.from({ length: end }, (_, at) => at)
