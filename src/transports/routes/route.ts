import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../callers/access-rules.ts'
import type { Arrival } from '../http/listener.ts'

/** A request whose caller is known. */
type Caught = Arrival & { readonly caller: Caller; readonly url: URL }

/** Answers the requests of one path. */
export type Route = (request: IncomingMessage, response: ServerResponse, caught: Caught) => Promise<void>
