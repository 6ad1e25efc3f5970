/// <reference lib="webworker" />
import type { WorkerMessage } from '../src/notices/worker-message.ts'
import { clicked } from './notice-click.ts'
import { dropOlderShells, keepShell, shellResponse } from './shell-cache.ts'
import { react } from './show-notice.ts'

declare const self: ServiceWorkerGlobalScope

self.addEventListener('install', (event) => event.waitUntil(keepShell()))
self.addEventListener('activate', (event) => event.waitUntil(dropOlderShells()))

self.addEventListener('fetch', (event) => {
  const response = shellResponse(event.request)
  if (response) event.respondWith(response)
})

self.addEventListener('message', (event) => {
  const message: WorkerMessage = event.data
  event.waitUntil(react(message))
})

self.addEventListener('push', (event) => {
  const message: WorkerMessage | undefined = event.data?.json()
  if (message) event.waitUntil(react(message))
})

self.addEventListener('notificationclick', (event) =>
  event.waitUntil(clicked(event.notification, event.action)),
)
