import type { Json, JsonObject } from '../../core/value/json.ts'
import type { Usage } from '../../core/model/model.ts'

/** The server's response to one request, in any format. */
export type ServerAnswer = ServerReply | ServerStatus | ServerFault

/** A model's answer. A stream sends the pieces of text one by one. */
export interface ServerReply {
  readonly type: 'reply'
  readonly text?: readonly string[]
  readonly toolCalls?: readonly { readonly tool: string; readonly input: Json }[]
  /** The model's reasoning; sent only in formats that support it, with its signature. */
  readonly thought?: string
  /** The model's refusal, with this text, in the format's own form. */
  readonly refusal?: string
  /** Sent as the format's own value. Default `tool-calls` if there are any, otherwise `stop`. */
  readonly finishReason?: 'stop' | 'length' | 'content-filter' | 'tool-calls'
  /** `null` is a server that reports none. Default: 10 input and 5 output tokens. */
  readonly usage?: ServerUsage | null
}

export interface ServerUsage extends Usage {
  /** Number of input tokens from a cache. */
  readonly cached?: number
  /** Number of output tokens used for reasoning; not every format reports them. */
  readonly reasoning?: number
}

/** An HTTP error, with a body in the format's own shape. */
export interface ServerStatus {
  readonly type: 'status'
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly message?: string
  /** The provider's own error code, such as `model_not_found`. */
  readonly code?: string
  /** Google's details next to the code: the exceeded limit and the wait. */
  readonly details?: readonly JsonObject[]
}

/**
 * A failure after status 200. `reset`: the connection breaks. `end`: a stream stops without a
 * finish reason. `silence`: nothing more arrives. `malformed`: the body is not JSON. `error`: an
 * error object instead of an answer.
 */
export interface ServerFault {
  readonly type: 'reset' | 'end' | 'silence' | 'malformed' | 'error'
  /** Pieces of text that are streamed first. Without them `reset` and `silence` send no status. */
  readonly after?: readonly string[]
}
