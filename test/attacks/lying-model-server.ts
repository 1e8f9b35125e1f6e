import { type ServerResponse, createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { once } from 'node:events'
import { isJson, isJsonObject, type Json } from '../../packages/echelon/src/core/value/json.ts'
import type { WireEvent } from '../../packages/echelon/src/testing/wire/format.ts'
import { formatAt } from '../../packages/echelon/src/testing/wire/formats.ts'
import type { ServerReply } from '../../packages/echelon/src/testing/wire/script.ts'

/** An honest server's answer to a request. */
export interface TrueAnswer {
  /** A stream has several events, other answers have one. */
  readonly events: readonly WireEvent[]
  readonly streams: boolean
}

export type Lie = (response: ServerResponse, answer: TrueAnswer) => void

const TYPES = { stream: 'text/event-stream', whole: 'application/json' }

export const bodyOf = ({ events, streams }: TrueAnswer): string =>
  streams
    ? events
        .map(
          (one) =>
            `${one.event === undefined ? '' : `event: ${one.event}\n`}data: ${textOf(one)}\n\n`,
        )
        .join('')
    : events.map(textOf).join('')

const textOf = ({ data }: WireEvent): string =>
  typeof data === 'string' ? data : JSON.stringify(data)

/** The honest answer with other headers, or changed on the wire. */
export const sent =
  (
    change: (body: string) => string | Buffer = (body) => body,
    {
      status = 200,
      headers = {},
    }: {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
    } = {},
  ): Lie =>
  (response, answer) => {
    const type = answer.streams ? TYPES.stream : TYPES.whole
    response.writeHead(status, { 'content-type': type, ...headers })
    response.end(change(bodyOf(answer)))
  }

/** The honest answer with each of its objects changed. */
export const changed =
  (change: (data: Json, place: number) => Json | undefined): Lie =>
  (response, answer) => {
    const events = answer.events.flatMap((event, place): WireEvent[] => {
      if (typeof event.data === 'string') return [event]
      const data = change(structuredClone(event.data), place)
      if (data === undefined) return []
      return [{ ...event, data: isJsonObject(data) ? data : JSON.stringify(data) }]
    })
    sent()(response, { ...answer, events })
  }

/** A server for every format, whose lie may change between two calls. */
export class LyingServer implements AsyncDisposable {
  lie: Lie = sent()
  reply: ServerReply = { type: 'reply', text: ['fine ', 'words'], usage: { input: 20, output: 4 } }
  calls = 0
  readonly #server = createServer((request, response) => {
    response.on('error', () => undefined)
    void (async () => {
      const body: unknown = await json(request)
      const path = request.url ?? ''
      const format = formatAt(path)
      if (format === undefined || !isJson(body) || !isJsonObject(body)) return response.destroy()
      const call = { path, body, number: ++this.calls }
      const streams = format.streams(call)
      const { begun, finished, last } = format.stream(call, this.reply)
      const whole = [{ data: format.whole(call, this.reply) }]
      return this.lie(response, {
        streams,
        events: streams ? [...begun, ...finished, ...last] : whole,
      })
    })().catch(() => response.destroy())
  })

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  get baseUrl(): string {
    const address = this.#server.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }
}

/** Each place in a value, as its path of keys. */
export function placesIn(
  value: Json,
  path: readonly string[] = [],
): readonly (readonly string[])[] {
  const entries: readonly (readonly [string, Json])[] = Array.isArray(value)
    ? value.map((one, index) => [String(index), one] as const)
    : isJsonObject(value)
      ? Object.entries(value)
      : []
  return [path, ...entries.flatMap(([key, one]) => placesIn(one, [...path, key]))]
}

/** Replaces the value at a place; `undefined` removes it. */
export function withAt(
  value: Json,
  [key, ...rest]: readonly string[],
  other: Json | undefined,
): Json | undefined {
  if (key === undefined) return other
  const replaced = (one: Json): Json | undefined => withAt(one, rest, other)
  if (Array.isArray(value)) {
    return value.flatMap((one, index) => (String(index) === key ? (replaced(one) ?? []) : [one]))
  }
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const next = name === key ? replaced(one) : one
      return next === undefined ? [] : [[name, next]]
    }),
  )
}
