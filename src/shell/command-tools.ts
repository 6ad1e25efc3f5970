/** Tools of the CLI that run a command or code of the model. */
export const RUNS_COMMANDS: ReadonlySet<string> = new Set(['Bash', 'PowerShell', 'Monitor', 'REPL'])
