/** A hub with a scripted model, spoken to in the words of the second API family. */
import type { Reply } from '../../../src/demo/scenario.ts'
import { type Hub, hubPlace, type HubPlace } from './hub.ts'
import { type Call, callerOf, type Params, type Polled, pollToRest } from '../clients/loopback.ts'

export interface LoopbackHub {
  readonly place: HubPlace
  readonly hub: Hub
  readonly call: Call
  /** A session that asks, unless the options say otherwise. */
  readonly create: (more?: object) => Promise<string>
  /** Says something and polls until the session needs someone or has ended. */
  readonly chat: (session_id: string, prompt?: string, more?: Params) => Promise<Polled>
}

export async function loopbackHub(main: Reply[], env: Record<string, string> = {}): Promise<LoopbackHub> {
  const place = await hubPlace({ scenario: { main }, env })
  const hub = await place.start()
  const call = callerOf(hub)
  return {
    place,
    hub,
    call,
    create: async (more = {}) => {
      const params = { working_dir: place.project, loopback_enabled: true, ...more }
      const { id } = await call<{ id: string }>('claudecode.create', params)
      place.sessions.add(id)
      return id
    },
    chat: async (session_id, prompt = 'go', more = {}) => {
      await call('claudecode.chat_async', { session_id, prompt })
      return pollToRest(call, { session_id, ...more })
    },
  }
}
