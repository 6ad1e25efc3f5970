import { comparisonOf } from './comparison.ts'
import type { Figure } from './figure.ts'

// Runs in a process of its own: argv names the module of a figure, the parent gets the comparison.
const module: { figure: Figure } = await import(process.argv[2] ?? '')
process.send?.(comparisonOf(module.figure, await module.figure.run()))
process.disconnect()
