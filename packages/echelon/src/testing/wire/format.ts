import type { JsonObject } from '../../core/value/json.ts'
import type { ServerReply, ServerStatus } from './script.ts'

/**
 * The HTTP format of one model family. Converts a script to the responses of a real server; does no
 * I/O.
 */
export interface WireFormat {
  /** Whether a POST to this path, such as `/v1/chat/completions`, is a call in this format. */
  takes(path: string): boolean
  /** Whether the call asks for an event stream. */
  streams(call: WireCall): boolean
  /** The body of an answer without streaming. */
  whole(call: WireCall, reply: ServerReply): JsonObject
  stream(call: WireCall, reply: ServerReply): WireStream
  /** The body of an HTTP error. */
  error(status: ServerStatus): JsonObject
  /** The body of a failure with status 200. Default: as for an HTTP error. */
  failure?(call: WireCall): JsonObject
}

/** The parts of a request on which an answer depends. */
export interface WireCall {
  /** From the first slash after the host to the end, with the query. */
  readonly path: string
  readonly body: JsonObject
  /** Counts a server's requests from 1, so that ids differ between calls. */
  readonly number: number
}

/** The events of one answer, split where a failure can occur. */
export interface WireStream {
  /** The start and every piece of text. */
  readonly begun: readonly WireEvent[]
  /** The rest of a complete answer: refusal, tool calls, finish and usage. */
  readonly finished: readonly WireEvent[]
  /** Replaces `finished` if the server fails after status 200. */
  readonly failed: readonly WireEvent[]
  /** The end of every stream that is not cut, successful or not. */
  readonly last: readonly WireEvent[]
}

/** One server-sent event; `event` is its type, if the format names it. */
export interface WireEvent {
  readonly event?: string
  readonly data: JsonObject | string
}

/** A server failure without a stated reason. */
export const FAILED: ServerStatus & { readonly message: string } = {
  type: 'status',
  status: 500,
  message: 'the server failed',
}
