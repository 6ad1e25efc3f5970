import type { z } from 'zod'

/** `workingDirectory` as `working_directory`. */
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? Rest extends Uncapitalize<Rest>
    ? `${Lowercase<First>}${Snake<Rest>}`
    : `${Lowercase<First>}_${Snake<Rest>}`
  : Name

export type SnakeKeys<T> = { [Key in keyof T & string as Snake<Key>]: T[Key] }

export function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Renames the fields for the other family; their values are not changed. */
export function snakeKeys<T extends object>(fields: T): SnakeKeys<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the names change, as the type says
  return renamed(fields, snake) as SnakeKeys<T>
}

/** The reverse: the fields that the shape has, under the names of the shape; other fields are dropped. */
export function keysLike<Shape extends z.ZodRawShape>(
  shape: Shape,
  fields: Partial<SnakeKeys<z.output<z.ZodObject<Shape>>>>,
): z.output<z.ZodObject<Shape>> {
  const names = new Map(Object.keys(shape).map((name) => [snake(name), name]))
  const known = Object.fromEntries(Object.entries(fields).filter(([name]) => names.has(name)))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the names change, as the type says
  return renamed(known, (name) => names.get(name) ?? name) as z.output<z.ZodObject<Shape>>
}

// The compiler cannot follow names that are made at run time, so the two functions above state the type of the result.
function renamed(fields: object, rename: (name: string) => string): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) => [rename(name), value]),
  )
}
