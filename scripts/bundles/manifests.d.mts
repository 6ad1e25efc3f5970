interface Tool {
  name: string
  title: string
}
export function mcpbManifest(manifest: object, tools: readonly Tool[]): object
export function serverEntry(manifest: object): object
export function pluginManifest(manifest: object): object
export function marketplaceManifest(manifest: object): object
export function pluginServers(): object
export function terminalsManifest(manifest: object): object
export function terminalsHooks(): object
