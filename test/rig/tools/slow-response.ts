/** A response of node:http whose reader takes nothing until the test emits `drain`. */
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'

export class SlowResponse extends EventEmitter {
  readonly written: string[] = []
  headers: Record<string, string> = {}
  status = 0
  ended = false
  destroyed = false
  full = true

  get headersSent(): boolean {
    return this.status !== 0
  }

  get asResponse(): ServerResponse {
    return this as unknown as ServerResponse
  }

  writeHead(status: number, headers: Record<string, string>): void {
    if (this.headersSent) throw new Error('The head was sent already.')
    this.status = status
    this.headers = headers
  }

  write(text: string): boolean {
    this.written.push(text)
    return !this.full
  }

  end(text?: string): void {
    if (text !== undefined) this.written.push(text)
    this.ended = true
  }

  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }
}
