import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/sessions/record/store.ts'
import { asCallerId } from '../rig/tools/ids.ts'

export function noticesContract(store: () => Store): void {
  describe('settings of notices', () => {
    const [phone, laptop] = [asCallerId('device phone'), asCallerId('device laptop')]
    const push = { endpoint: 'https://push.example.com/1', p256dh: 'p', auth: 'a' }

    it('are those of a device, the last that were put, in the order of adding', async () => {
      const { notices } = store()
      await notices.put({ device: phone, reasons: ['question'] })
      await notices.put({ device: laptop, reasons: ['done'] })
      await notices.put({ device: phone, reasons: ['failed'], push })
      expect(await notices.get(phone)).toStrictEqual({ device: phone, reasons: ['failed'], push })
      expect((await notices.list()).map(({ device }) => device)).toEqual([phone, laptop])
      await notices.remove(phone)
      expect([await notices.get(phone), await notices.list()]).toEqual([
        undefined,
        [{ device: laptop, reasons: ['done'] }],
      ])
    })

    it('of two devices do not have the same subscription: the last one has it', async () => {
      const { notices } = store()
      await notices.put({ device: phone, reasons: ['question'], push })
      await notices.put({ device: laptop, reasons: ['done'], push })
      expect(await notices.list()).toStrictEqual([
        { device: phone, reasons: ['question'] },
        { device: laptop, reasons: ['done'], push },
      ])
    })
  })
}
