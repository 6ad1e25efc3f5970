export function terminalSvg(lines: readonly string[], title: string): string
