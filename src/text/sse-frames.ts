/** One frame of an event stream: its name (`message` by default) and its text. */
export interface SseFrame {
  readonly event: string
  readonly data: string
}

/** Splits a stream of server-sent events into frames, wherever its chunks end. Ignores comments. */
export class SseFrames {
  #rest = ''

  take(chunk: string): SseFrame[] {
    const whole = (this.#rest + chunk).split('\n\n')
    this.#rest = whole.pop() ?? ''
    return whole.map(frameOf).filter(({ data }) => data !== '')
  }
}

function frameOf(text: string): SseFrame {
  const fields = text.split('\n').map((line) => /^(event|data): ?(.*)$/s.exec(line))
  const all = (name: string) => fields.flatMap((field) => (field?.[1] === name ? [field[2] ?? ''] : []))
  return { event: all('event')[0] ?? 'message', data: all('data').join('\n') }
}
