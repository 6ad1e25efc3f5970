import type { WorkerMessage } from './worker-message.ts'

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (text: string) => string },
  ): {
    // The browser takes it where it takes the address of a script.
    createScriptURL(text: string): string
  }
}

declare global {
  interface Window {
    readonly trustedTypes?: TrustedTypes
  }
}

const PATH = '/service-worker.js'

/** Where a browser has no service workers, the page works as before: it needs its hub, and shows no notices. */
export function registerWorker(): void {
  if (!('serviceWorker' in navigator)) return
  // The one script that the page names by itself; the content security policy knows no other policy than this.
  const policy = window.trustedTypes?.createPolicy('plexus-worker', {
    createScriptURL: (text) => {
      if (text === PATH) return text
      throw new TypeError('The page has one service worker.')
    },
  })
  navigator.serviceWorker.register(policy?.createScriptURL(PATH) ?? PATH).catch(() => {})
}

export async function postToWorker(message: WorkerMessage): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const { active } = await navigator.serviceWorker.ready
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin but ours
  active?.postMessage(message)
}
