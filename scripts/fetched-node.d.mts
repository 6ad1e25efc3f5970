export function nodePath(version: string): string
export function fetchedNode(version: string): string
