import type { OutputOptions, RolldownOptions } from 'rolldown'

declare const published: RolldownOptions & { readonly output: OutputOptions }
export default published
