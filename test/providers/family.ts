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

/** A combination of provider, API and kind of model. */
export interface Family {
  readonly name: string
  /** The real package, connected to a test server. */
  readonly load: (server: LocalModelServer) => Promise<BoundModel>
  /** The wire form of `ASKED`; and for a stream, if its path or body differs. */
  readonly request: Request
  readonly streamRequest: Request
  /** The model's warnings for `ASKED`, by the names of unsupported settings. */
  readonly unsupported: readonly string[]
  /** The provider's own error for an account without credit. */
  readonly outOfQuota: ServerStatus
  /** The same for a prompt that is too long. */
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

/** A call with every setting. */
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
