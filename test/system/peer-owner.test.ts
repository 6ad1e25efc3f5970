import { expect, test } from 'vitest'
import { ownerOf } from '../../src/system/peer-owner.ts'

/** Client port 0xAD33 is 44339, hub port 0x115D is 4445. */
const line = (local: string, remote: string, state = '01', uid = 1000, inode = 98_540) =>
  `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 1 0 20 4 30 10 -1`
const CLIENT = '0100007F:AD33'
const HUB = '0100007F:115D'
const MAPPED = '0000000000000000FFFF00000100007F'
const ends = { clientPort: 44_339, hubPort: 4_445 }

test.each([
  ['the client is another user', line(CLIENT, HUB, '01', 65_534), 65_534],
  ['it speaks IPv6 with the same address', line(`${MAPPED}:AD33`, `${MAPPED}:115D`), 1000],
  ['its process has closed it, which looks like root', line(CLIENT, HUB, '01', 0, 0), undefined],
  ['it has sent its last', line(CLIENT, HUB, '04'), undefined],
  ["only the hub's own end is there", line(HUB, CLIENT), undefined],
  ['it comes from another machine', line('0200000A:AD33', '0100000A:115D'), undefined],
  ['it has another port', line('0100007F:AD34', HUB), undefined],
])('S19: whose connection it is: %s', (_, row, user) => {
  expect(ownerOf(`  sl  local_address rem_address   st\n${line(HUB, CLIENT, '01', 1)}\n${row}\n`, ends)).toBe(
    user,
  )
})
