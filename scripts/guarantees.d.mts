export function idsByFile(): { file: string; ids: Set<string> }[]
export function guarantees(text: string): string
