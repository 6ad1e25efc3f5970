export interface KeptRun {
  name: string
  title: string
  version: string
  setup: string
  transport: string
  run: string
  at: number
  of: number
  refusal?: string
  cells?: Record<string, string>
}
export function isWhole(rows: KeptRun[]): boolean
export function tableOf(rows: KeptRun[]): string
export function pageOf(rows: KeptRun[]): string
