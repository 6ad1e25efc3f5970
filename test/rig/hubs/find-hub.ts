import { readHubRecord } from '../../../src/hub/hub-record.ts'
import { operatorToken } from '../../../src/hub/tokens/operator-token.ts'
import { type HubAddress, NoHub } from '../../../src/hub-client/hub-address.ts'

/** The address of the current hub of a home folder, with this token or the operator's. */
export async function findHub(home: string, token?: string): Promise<HubAddress> {
  const record = await readHubRecord(home)
  if (!record) throw new NoHub(home)
  return { socket: record.socket, token: token ?? (await operatorToken(home)) }
}
