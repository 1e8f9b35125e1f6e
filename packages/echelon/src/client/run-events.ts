import { ClientError } from './client-error.ts'
import type { Connection } from './connection.ts'
import { readSse, type SseEvent } from './sse.ts'
import type { RunEventView, RunView } from './wire.ts'

export interface EventsOptions {
  /** The id of the last event that you have. */
  readonly after?: string
  readonly signal?: AbortSignal
}

export interface Reconnecting {
  readonly connection: Connection
  readonly reconnects: number
}

const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 5000

/**
 * The events of a run until it ends, each once. A connection that breaks, or a server that restarts, is
 * connected to again after the last event.
 * @returns the run at its end
 * @throws ClientError when the server refuses, or stays away
 */
export async function* runEvents(
  { connection, reconnects }: Reconnecting,
  run: string,
  { after = '', signal }: EventsOptions = {},
): AsyncGenerator<RunEventView, RunView> {
  const path = `/runs/${encodeURIComponent(run)}/events`
  let last = after
  for (let failures = 0; ; failures++) {
    try {
      const headers = { accept: 'text/event-stream', ...(last !== '' && { 'last-event-id': last }) }
      const { body } = await connection.open(path, { headers, signal })
      for await (const event of body === null ? [] : readSse(body)) {
        failures = 0
        if (event.event === 'end') return runIn(event)
        const view = viewOf(event)
        last = view.id
        yield view
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (!isPassing(error) || failures >= reconnects) throw error
    }
    if (failures > reconnects) {
      throw new ClientError(0, 'unreachable', 'the server closes the connection again and again')
    }
    await pause(Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS), signal)
  }
}

/** Whether a new try may help: the connection, a busy server, or one that stops. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof ClientError) ||
  error.status === 0 ||
  error.status === 410 ||
  error.status === 429 ||
  error.status >= 502

function viewOf({ id = '', data }: SseEvent): RunEventView {
  const { at, ...event } = JSON.parse(data)
  return { id, at, event }
}

const runIn = ({ data }: SseEvent): RunView => JSON.parse(data)

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
}
