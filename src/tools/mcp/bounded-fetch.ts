/** What one message of a server may have: as with a program, whose messages the SDK bounds itself. */
const MOST_BYTES = 10 * 1024 * 1024

/**
 * `fetch`, whose answers break off where a single message is too big. A stream of events may be as
 * long as it likes; one event may not.
 */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  if (response.body === null) return response
  const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false
  const { status, statusText, headers } = response
  // Of a redirect the SDK itself decides.
  if (status < 200) return response
  return new Response(response.body.pipeThrough(bounded(isStream)), { status, statusText, headers })
}

function bounded(isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes = isStream && endsEvent(chunk) ? 0 : bytes + chunk.byteLength
      if (bytes <= MOST_BYTES) controller.enqueue(chunk)
      else controller.error(new Error(`a message has more than ${MOST_BYTES / 1024 / 1024} MB`))
    },
  })
}

/** Whether an empty line stands in it. One that two chunks share is missed: what follows counts on. */
function endsEvent({ buffer, byteOffset, byteLength }: Uint8Array): boolean {
  const text = Buffer.from(buffer, byteOffset, byteLength)
  return text.includes('\n\n') || text.includes('\r\n\r\n')
}
