/** Limits of a response body, decompressed. */
export interface BodyLimits {
  /** Bytes of an answer that is read as a whole. */
  readonly whole: number
  /** Bytes of all events of a stream. */
  readonly stream: number
  /** Bytes of one event. */
  readonly event: number
  readonly events: number
  /** Bytes to read of an error's body; the rest is cut off, so that the status is still reported. */
  readonly error: number
  /** The remedy; ends the sentence of the error. */
  readonly advice?: string
}

/** A body that exceeded a limit. Not retryable. */
class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'
}

/**
 * A response whose body stops at its limits: with an error, or, if the response is itself an error, as
 * if it ended there. The rest is not read, and the connection is closed.
 */
export function boundedResponse(response: Response, limits: BodyLimits): Response {
  const { body, status, statusText, headers } = response
  // A response without a body must not get one.
  if (body === null || status < 200) return response
  return new Response(boundedBody(body, counterFor(response, limits)), {
    status,
    statusText,
    headers,
  })
}

/** Receives each chunk: returns whether to pass it on or end the body; throws above a limit. */
type Count = (chunk: Uint8Array) => 'on' | 'end'

function counterFor({ ok, headers }: Response, limits: BodyLimits): Count {
  if (!ok) return cutAt(limits.error)
  const isStream = headers.get('content-type')?.includes('text/event-stream') === true
  return isStream ? eventCounter(limits) : byteCounter(limits)
}

function cutAt(most: number): Count {
  let bytes = 0
  return (chunk) => ((bytes += chunk.byteLength) > most ? 'end' : 'on')
}

function byteCounter({ whole, advice }: BodyLimits): Count {
  let bytes = 0
  return (chunk) => {
    bytes += chunk.byteLength
    if (bytes > whole) throw tooLarge('the answer', whole, advice)
    return 'on'
  }
}

const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/** An event ends with an empty line, which two chunks may share. */
function eventCounter({ stream, event, events, advice }: BodyLimits): Count {
  let [all, ofEvent, ended] = [0, 0, 0]
  // Whether the line is empty so far, apart from a carriage return.
  let isEmpty = true
  return (chunk) => {
    all += chunk.byteLength
    if (all > stream) throw tooLarge('the stream', stream, advice)
    for (let start = 0; start < chunk.byteLength;) {
      const feed = chunk.indexOf(LINE_FEED, start)
      const end = feed === -1 ? chunk.byteLength : feed
      const isLineEmpty =
        isEmpty && (end === start || (end === start + 1 && isReturn(chunk[start])))
      ofEvent += end - start + (feed === -1 ? 0 : 1)
      if (ofEvent > event) throw tooLarge('a part of the stream', event, advice)
      if (feed !== -1 && isLineEmpty) {
        ofEvent = 0
        ended++
      }
      isEmpty = feed !== -1 || isLineEmpty
      start = end + 1
    }
    if (ended <= events) return 'on'
    throw new BodyTooLarge(sentence(`the stream has more than ${events} events`, advice))
  }
}

const isReturn = (byte: number | undefined): boolean => byte === CARRIAGE_RETURN

const MEGABYTE = 1024 * 1024

const tooLarge = (what: string, most: number, advice: string | undefined): BodyTooLarge =>
  new BodyTooLarge(
    sentence(`${what} has more than ${Number((most / MEGABYTE).toFixed(3))} MB`, advice),
  )

const sentence = (what: string, advice = ''): string =>
  advice === '' ? what : `${what}; ${advice}`

function boundedBody(body: ReadableStream<Uint8Array>, count: Count): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const hangUp = (): void => {
    reader.cancel().then(undefined, () => undefined)
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        try {
          if (count(value) === 'on') return controller.enqueue(value)
        } catch (error) {
          hangUp()
          throw error
        }
        hangUp()
        controller.close()
      },
      cancel: async (reason) => await reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
