import type { Json, JsonObject } from '../../core/value/json.ts'
import type { Usage } from '../../core/model/model.ts'

/** What the server does with one request, whichever format it came in. */
export type ServerAnswer = ServerReply | ServerStatus | ServerFault

/** An answer as a model gives it. Pieces of text arrive one by one where it streams. */
export interface ServerReply {
  readonly type: 'reply'
  readonly text?: readonly string[]
  readonly toolCalls?: readonly { readonly tool: string; readonly input: Json }[]
  /** What the model thinks before it answers; only told where a format tells it, with its seal. */
  readonly thought?: string
  /** The model declines, in these words and in the format's own way. */
  readonly refusal?: string
  /** Sent in the format's own word. Default `tool-calls` when there are some, else `stop`. */
  readonly finishReason?: 'stop' | 'length' | 'content-filter' | 'tool-calls'
  /** `null` is a server that reports none. Default 10 tokens in and 5 out. */
  readonly usage?: ServerUsage | null
}

export interface ServerUsage extends Usage {
  /** How many of the tokens that went in were read from a cache. */
  readonly cached?: number
  /** How many of the tokens that came out were spent on thinking; not told by every format. */
  readonly reasoning?: number
}

/** An HTTP error, with a body in the format's own shape. */
export interface ServerStatus {
  readonly type: 'status'
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly message?: string
  /** The provider's own word for the cause, such as `model_not_found`. */
  readonly code?: string
  /** What Google puts beside the code: which limit was reached, how long to wait. */
  readonly details?: readonly JsonObject[]
}

/**
 * What goes wrong after a status of 200.
 * `reset`: the connection breaks. `end`: a stream stops without a finish reason. `silence`: nothing
 * more comes. `malformed`: what comes is no JSON. `error`: an error object instead of an answer.
 */
export interface ServerFault {
  readonly type: 'reset' | 'end' | 'silence' | 'malformed' | 'error'
  /** Pieces of text that are streamed first. Without them `reset` and `silence` send no status. */
  readonly after?: readonly string[]
}
