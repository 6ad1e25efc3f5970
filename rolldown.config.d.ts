import type { OutputOptions, RolldownOptions } from 'rolldown'

declare const published: Omit<RolldownOptions, 'output'> & { readonly output: OutputOptions }
export default published
