import type { JsonObject } from '../../core/value/json.ts'
import type { ServerReply, ServerStatus } from './script.ts'

/**
 * How one family of models is spoken to over HTTP. A format turns what a script says into what a
 * real server of the family would send; it does no I/O itself.
 */
export interface WireFormat {
  /** Whether a POST to this path, such as `/v1/chat/completions`, is a call in this format. */
  takes(path: string): boolean
  /** Whether the call asks for a stream of events. */
  streams(call: WireCall): boolean
  /** The body of an answer that comes at once. */
  whole(call: WireCall, reply: ServerReply): JsonObject
  stream(call: WireCall, reply: ServerReply): WireStream
  /** The body of an HTTP error. */
  error(status: ServerStatus): JsonObject
  /** The body of a status of 200 that says that the server failed; default as for an HTTP error. */
  failure?(call: WireCall): JsonObject
}

/** A request, as far as an answer depends on it. */
export interface WireCall {
  /** From the first slash after the host to the end, with the query. */
  readonly path: string
  readonly body: JsonObject
  /** Counts a server's requests from 1, so that ids differ from call to call. */
  readonly number: number
}

/** The events of one answer, cut where a fault can come between. */
export interface WireStream {
  /** The opening and every piece of text. */
  readonly begun: readonly WireEvent[]
  /** All the rest of a good answer: refusal, tool calls, the finish and the usage. */
  readonly finished: readonly WireEvent[]
  /** Instead of `finished`, where the server fails after its status of 200. */
  readonly failed: readonly WireEvent[]
  /** What ends every stream that is not cut, good or bad. */
  readonly last: readonly WireEvent[]
}

/** One server-sent event; `event` is its type, where the format names it. */
export interface WireEvent {
  readonly event?: string
  readonly data: JsonObject | string
}

/** What a server says that fails and does not say why. */
export const FAILED: ServerStatus & { readonly message: string } = {
  type: 'status',
  status: 500,
  message: 'the server failed',
}
