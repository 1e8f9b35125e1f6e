import { A2A_VERSION_HEADER } from '@a2a-js/sdk'
import { VersionNotSupportedError } from '@a2a-js/sdk/errors'
import type { ServerCallContext } from '@a2a-js/sdk/server'
import type { Context } from 'hono'
import type { Env } from '../http/server-context.ts'
import { LEGACY_VERSION } from './agent-card.ts'
import type { AgentTasks } from './agent-tasks.ts'

/** One call of a client, over any transport. */
export interface A2aCall {
  readonly tasks: AgentTasks
  readonly context: ServerCallContext
  /** To be called when the client leaves. */
  readonly leave: () => void
  /** Whether a fault of the server was hidden from the client. */
  readonly hadFault: () => boolean
}

/** @param version the one that the client speaks */
export type CallOf = (version: string) => A2aCall

export type A2aContext = Context<Env>

/** Without the header, a client of JSON-RPC speaks 0.3. */
export const versionIn = (c: A2aContext): string =>
  c.req.header(A2A_VERSION_HEADER) || LEGACY_VERSION

/** @throws VersionNotSupportedError */
export function checkVersion(version: string, spoken: readonly string[]): void {
  if (spoken.includes(version)) return
  throw new VersionNotSupportedError(`this transport supports the versions ${spoken.join(' and ')}`)
}

/** Whether the body is JSON by its header. A body without the header counts as JSON. */
export function isJsonBody(c: A2aContext): boolean {
  const [type = ''] = (c.req.header('content-type') ?? '').split(';', 1)
  const name = type.trim().toLowerCase()
  // The content type that `fetch` sends with a text by default.
  return ['', 'application/json', 'application/a2a+json', 'text/plain'].includes(name)
}

/**
 * The first event of a stream before the stream is answered, since an error that comes first is an answer
 * of its own.
 */
export async function begun<Item>(
  stream: AsyncGenerator<Item, void>,
): Promise<AsyncGenerator<Item, void>> {
  const first = await stream.next()
  return (async function* () {
    try {
      if (first.done === true) return
      yield first.value
      yield* stream
    } finally {
      await stream.return()
    }
  })()
}
