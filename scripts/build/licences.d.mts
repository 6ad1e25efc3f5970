import type { Plugin } from 'vite'

export function licences(...copied: string[]): Plugin
