/** What the page and its service worker share, in the storage of this origin. A worker cannot read `localStorage`. */
import type { DeviceScope } from '../../../src/callers/device-scope.ts'

/** The token of a device that its person asked to remember; any other stays in its tab. */
export interface KeptDevice {
  readonly token: string
  readonly scope: DeviceScope
}

const DEVICE = 'device'
const WEEK_MS = 7 * 86_400_000

export async function keepDevice(device: KeptDevice | undefined): Promise<void> {
  if (device) await change('values', (store) => store.put(device, DEVICE))
  else await change('values', (store) => store.delete(DEVICE))
}

export async function keptDevice(): Promise<KeptDevice | undefined> {
  return change('values', (store) => store.get(DEVICE))
}

/** Whether this is the first call with this key. Two workers, or a push and a page, never both get true. */
export async function isFirst(key: string): Promise<boolean> {
  // `add` fails if the key is there.
  const isNew = await change('notices', (store) => store.add(Date.now(), key)).then(
    () => true,
    () => false,
  )
  if (isNew) await forgetOld()
  return isNew
}

export async function isKnown(key: string): Promise<boolean> {
  const known: number | undefined = await change('notices', (store) => store.get(key))
  return known !== undefined
}

async function forgetOld(): Promise<void> {
  const oldest = Date.now() - WEEK_MS
  await change('notices', (store) => {
    const request = store.openCursor()
    request.addEventListener('success', () => {
      const cursor = request.result
      if (!cursor) return
      if (Number(cursor.value) < oldest) cursor.delete()
      cursor.continue()
    })
    return request
  })
}

type StoreName = 'values' | 'notices'

/** One transaction: it is stored when this resolves. */
async function change<T>(name: StoreName, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await opened()
  try {
    const transaction = database.transaction(name, 'readwrite')
    const request = work(transaction.objectStore(name))
    await new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve())
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('Not stored.')))
    })
    return request.result
  } finally {
    database.close()
  }
}

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('plexus', 1)
    request.addEventListener('upgradeneeded', () => {
      for (const name of ['values', 'notices'] satisfies StoreName[]) request.result.createObjectStore(name)
    })
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('No storage.')))
  })
}
