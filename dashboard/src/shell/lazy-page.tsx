import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'

/** A page whose code is loaded when it is first shown: the inbox, where a person waits, comes before all others. */
export function lazyPage(load: () => Promise<ComponentType>): ComponentType {
  const page = signal<ComponentType | undefined>(undefined)
  const hasFailed = signal(false)
  return function LazyPage() {
    useEffect(() => {
      if (page.peek() === undefined)
        load().then(
          (loaded) => (page.value = loaded),
          () => (hasFailed.value = true),
        )
    }, [])
    const Page = page.value
    if (Page) return <Page />
    if (!hasFailed.value) return <p>Loading …</p>
    return (
      <p role="alert">
        This page could not be loaded: the hub is away, or it was upgraded.{' '}
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </p>
    )
  }
}
