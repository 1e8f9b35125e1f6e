/** One event of a stream of server-sent events. */
export interface SseEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

/** Longer ones end the stream with an error. */
const LONGEST_EVENT = 16 * 1024 * 1024

/** Parses server-sent events as the HTML standard says, without reconnecting. Comments are skipped. */
export async function* readSse(body: ReadableStream<Uint8Array>): AsyncGenerator<SseEvent, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      // A line end may be cut in two.
      rest = (rest + decoder.decode(value, { stream: true })).replaceAll(/\r\n|\r(?!$)/g, '\n')
      if (rest.length > LONGEST_EVENT) throw new Error('an event of the stream is too long')
      const blocks = rest.split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = eventIn(block)
        if (event !== undefined) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function eventIn(block: string): SseEvent | undefined {
  const data: string[] = []
  let id: string | undefined
  let event = 'message'
  for (const line of block.split('\n')) {
    const [, field = '', value = ''] = /^([^:]+):? ?(.*)$/s.exec(line) ?? []
    if (field === 'data') data.push(value)
    if (field === 'id') id = value
    if (field === 'event') event = value
  }
  return data.length === 0 ? undefined : { id, event, data: data.join('\n') }
}
