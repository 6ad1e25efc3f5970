/**
 * What a client calls a tool of ours: most of them put the name of the server in front. A client that keeps tools back
 * until its model has searched for them does not list it, and takes its usual name all the same.
 */
export function fullName(offered: readonly string[], tool: string, usualPrefix = ''): string {
  return (
    offered.find((name) => name.split(/[-.]|__/).at(-1) === tool || name.endsWith(`_${tool}`)) ??
    `${usualPrefix}${tool}`
  )
}
