export const paths: Readonly<Record<'package' | 'mcpb' | 'serverEntry' | 'marketplace' | 'plugin', string>>
export function mcpbProgram(): string
