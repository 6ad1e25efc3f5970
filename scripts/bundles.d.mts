export const paths: Readonly<
  Record<'package' | 'mcpb' | 'serverEntry' | 'marketplace' | 'plugin' | 'terminals', string>
>
export function mcpbProgram(): string
export function makeTerminalsPlugin(folder: string, program: string): void
