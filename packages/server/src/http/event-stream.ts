/** Between two comments that keep a silent connection open. */
const KEEP_ALIVE_MS = 15_000

/** One frame of server-sent events. */
export const sseFrame = ({
  data,
  id,
  event,
}: {
  readonly data: string
  readonly id?: string
  readonly event?: string
}): string =>
  `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`

export interface EventStreamOptions {
  readonly status?: 200
  readonly headers?: Readonly<Record<string, string>>
  /** Called once when the client has left or everything was sent. */
  readonly onClose?: () => void
  readonly contentType?: string
}

/**
 * A response that streams pieces of text or bytes. It takes the next piece only when the client has room
 * for it, so a slow client holds nothing in memory.
 */
export function eventStream(
  pieces: AsyncIterator<string | Uint8Array, void>,
  { headers, onClose, contentType = 'text/event-stream; charset=utf-8' }: EventStreamOptions = {},
): Response {
  const encoder = new TextEncoder()
  let timer: NodeJS.Timeout | undefined
  let pending: Promise<IteratorResult<string | Uint8Array, void>> | undefined
  let isClosed = false
  const close = (): void => {
    if (isClosed) return
    isClosed = true
    clearTimeout(timer)
    void pieces.return?.()
    onClose?.()
  }
  const isText = contentType.startsWith('text/event-stream')
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        pending ??= pieces.next()
        const silent = new Promise<undefined>((resolve) => {
          timer = setTimeout(() => resolve(undefined), KEEP_ALIVE_MS)
        })
        try {
          const next = await (isText ? Promise.race([pending, silent]) : pending)
          clearTimeout(timer)
          if (isClosed) return
          if (next === undefined) return controller.enqueue(encoder.encode(': \n\n'))
          pending = undefined
          if (next.done === true) {
            close()
            return controller.close()
          }
          const { value } = next
          controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
        } catch (error) {
          close()
          controller.error(error)
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    headers: {
      'content-type': contentType,
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      ...headers,
    },
  })
}
