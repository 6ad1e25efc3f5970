import type { Hub } from '../hubs/hub.ts'

/** The headers of a device that was signed in by a code. It may read. */
export async function signedInDevice(hub: Hub, name: string): Promise<{ authorization: string }> {
  const { code } = await hub.call<{ code: string }>('inviteDevice', { scope: 'read' })
  const response = await fetch(`${hub.url}/device`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, name }),
  })
  const { token } = (await response.json()) as { token: string }
  return { authorization: `Bearer ${token}` }
}
