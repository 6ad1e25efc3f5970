import type { Plugin } from 'vite'

export function serviceWorker(entry: string): Plugin
