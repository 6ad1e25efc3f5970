import { join } from 'node:path'
import type { ServiceSpec } from './service-spec.ts'
import { MADE_BY_US } from './systemd-unit.ts'

export const AGENT_LABEL = 'plexus.hub'

/**
 * An agent of launchd. AbandonProcessGroup keeps launchd from ending what the hub has started, and KeepAlive starts the hub
 * again unless it ended in good order.
 */
export function launchdAgent({ node, program, home, environment }: ServiceSpec): string {
  const value = dictionary({
    Label: AGENT_LABEL,
    ProgramArguments: [node, program, 'serve'],
    EnvironmentVariables: environment,
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    ThrottleInterval: 10,
    AbandonProcessGroup: true,
    StandardErrorPath: join(home, 'hub.log'),
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${MADE_BY_US} -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
${value}
</plist>
`
}

type Plist = string | number | boolean | readonly Plist[] | { readonly [key: string]: Plist }

function dictionary(entries: Readonly<Record<string, Plist>>, indent = ''): string {
  const inner = `${indent}  `
  const lines = Object.entries(entries).map(
    ([key, value]) => `${inner}<key>${escaped(key)}</key>\n${inner}${element(value, inner)}`,
  )
  return ['<dict>', ...lines, `${indent}</dict>`].join('\n')
}

function element(value: Plist, indent: string): string {
  if (typeof value === 'string') return `<string>${escaped(value)}</string>`
  if (typeof value === 'number') return `<integer>${value}</integer>`
  if (typeof value === 'boolean') return value ? '<true/>' : '<false/>'
  if (!isList(value)) return dictionary(value, indent)
  const items = value.map((item) => `${indent}  ${element(item, `${indent}  `)}`)
  return ['<array>', ...items, `${indent}</array>`].join('\n')
}

function isList(value: Plist): value is readonly Plist[] {
  return Array.isArray(value)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
