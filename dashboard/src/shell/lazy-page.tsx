import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'

/** A part whose code is loaded when it is first shown: the inbox, where a person waits, comes before all others. */
export function lazyPage<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const page = signal<ComponentType<Props> | undefined>(undefined)
  const hasFailed = signal(false)
  return function LazyPage(props: Props) {
    useEffect(() => {
      if (page.peek() === undefined)
        load().then(
          (loaded) => (page.value = loaded),
          () => (hasFailed.value = true),
        )
    }, [])
    const Page = page.value
    if (Page) return <Page {...props} />
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
