import type { Transcripts } from '../engine/conversations.ts'
import type { Asking, Engine } from '../engine/engine.ts'
import { createEngine, type EngineParts } from '../engine/local-engine.ts'
import { adoptSessions, type Sessions, type SessionsParts } from './adopt-sessions.ts'

export interface AppParts
  extends SessionsParts, Omit<EngineParts, 'store' | 'supervisor' | 'desk' | 'budgets' | 'environment'> {
  /** The conversations that the CLI has on this machine. */
  readonly transcripts?: Transcripts | undefined
}

export interface App extends Sessions {
  readonly engine: Engine & Asking
}

/** Sessions and the engine that acts on them. When it returns, every child that an earlier hub left is adopted. */
export async function createApp(parts: AppParts): Promise<App> {
  const sessions = await adoptSessions(parts)
  return { ...sessions, engine: createEngine({ ...parts, ...sessions }) }
}
