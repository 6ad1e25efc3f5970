import { exactCallText } from './exact/exact-call.ts'
import type { Rule } from './rule.ts'

/** A rule in one line, without its reason: what it decides, and all that must hold for it. Pure. */
export function ruleText(rule: Rule): string {
  const { effect, tool, command, path, folder, host, mcp, mode, caller, session, tree, redirect, expires } =
    rule
  const { exact, turn, answerers, timeout } = rule
  const about = [
    exact && exactCallText(exact),
    tool && `tool ${listed(tool)}`,
    command && `command ${listed(command)}`,
    path && `path ${listed(path)}`,
    host && `host ${listed(host)}`,
    mcp && `mcp ${mcp.server}${mcp.tool ? ` ${listed(mcp.tool)}` : ''}`,
    folder === undefined ? undefined : `in folder ${JSON.stringify(folder)}`,
    mode && `in mode ${listed(mode)}`,
    caller && `of caller ${listed(caller)}`,
    session && `in session ${listed(session)}`,
    turn === undefined ? undefined : `in turn ${turn}`,
    tree && `in tree ${listed(tree)}`,
    redirect === 'inside' ? 'redirect inside' : undefined,
    answerers && `answered by ${listed(answerers)}`,
    timeout === undefined ? undefined : timeout === 0 ? 'without a time limit' : `within ${timeout} seconds`,
    expires === undefined ? undefined : `until ${expires}`,
  ].filter((part) => part !== undefined)
  return `${effect} ${about.join(', ')}`
}

function listed(texts: readonly string[]): string {
  return texts.map((text) => JSON.stringify(text)).join(' or ')
}
