import type { Generate } from '../../packages/echelon/src/core/agent/effect.ts'
import type { JsonObject } from '../../packages/echelon/src/core/value/json.ts'
import type { BoundModel } from '../../packages/echelon/src/core/model/model.ts'
import {
  systemMessage,
  Thread,
  userMessage,
} from '../../packages/echelon/src/core/message/thread.ts'
import type { LocalModelServer } from '../../packages/echelon/src/testing/local-model-server.ts'
import type { ServerStatus } from '../../packages/echelon/src/testing/wire/script.ts'
import { generate } from '../runtime/kit.ts'

/** One way in which models are spoken to: a provider, an interface of its, a kind of model. */
export interface Family {
  readonly name: string
  /** The real package, at a server for tests. */
  readonly load: (server: LocalModelServer) => Promise<BoundModel>
  /** What `ASKED` becomes on the wire, whole; and as a stream, if that is another place or body. */
  readonly request: Request
  readonly streamRequest: Request
  /** What the model is warned of in `ASKED`, by the names of what it does not take. */
  readonly unsupported: readonly string[]
  /** The provider's own way to say that the account has nothing left. */
  readonly outOfQuota: ServerStatus
  /** The same of a prompt that is too long. */
  readonly tooLong: ServerStatus
}

export interface Request {
  readonly path: string
  readonly body: JsonObject
}

export const SCHEMA = {
  type: 'object',
  properties: { answer: { type: 'number' } },
  required: ['answer'],
  additionalProperties: false,
} as const

/** A call that sets everything that can be set. */
export const ASKED: Generate = generate({
  messages: Thread.of([systemMessage('Be brief.'), userMessage('how much is 15 * 23?')]),
  schema: SCHEMA,
  maxTokens: 500,
  sampling: {
    temperature: 0.1,
    topP: 0.9,
    frequencyPenalty: 0.3,
    presencePenalty: 0.2,
    stop: ['END'],
    seed: 7,
  },
})
