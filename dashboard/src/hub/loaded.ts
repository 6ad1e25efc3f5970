import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** What a call to the hub returned: undefined while it is under way, null if it failed. Read again when an input changes. */
export function useLoaded<T>(
  load: () => Promise<T>,
  inputs: readonly unknown[],
): ReadonlySignal<T | null | undefined> {
  const loaded = useSignal<T | null | undefined>(undefined)
  useEffect(() => {
    let isOver = false
    const read = async () => {
      const found = await load().catch(() => null)
      if (!isOver) loaded.value = found
    }
    void read()
    return () => {
      isOver = true
    }
  }, inputs)
  return loaded
}
