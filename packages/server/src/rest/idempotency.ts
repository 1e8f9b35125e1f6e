import { canonicalJson } from 'echelon/internal/value'
import { type Json, isJsonObject } from 'echelon/runtime'
import type { Principal } from '../access/principal.ts'
import { HttpProblem } from '../http/problem.ts'
import type { ServerContext } from '../http/server-context.ts'

/** Time that a request waits for another one of the same key to start its run. */
const TRIES = 50
const PAUSE_MS = 100

export interface StartOnce {
  readonly key: string
  /** Everything that determines the run. */
  readonly input: Json
  readonly principal: Principal
  /** Starts it under an id. */
  readonly start: (run: string) => Promise<string>
}

/**
 * Starts one run per key, for all processes on the store: the same key with the same input is the same run.
 * @returns its id
 * @throws HttpProblem 409 for the key with another input
 */
export async function startOnce(
  { store, ids, clock }: ServerContext,
  { key, input, principal, start }: StartOnce,
): Promise<string> {
  const stored = `server/${principal.name}/${key}`
  for (let tries = 0; tries < TRIES; tries++) {
    const claim = await store.results.claim(stored, canonicalJson(input), ids.next())
    if (claim.type === 'other-input') {
      throw new HttpProblem(
        409,
        'key_reused',
        'this Idempotency-Key was used before with another body',
      )
    }
    if (claim.type === 'done') return runIn(claim.result) ?? claim.run
    if (claim.type === 'yours') {
      try {
        // A process that died may have started it.
        const isThere = (await store.runs.find(claim.run)) !== undefined
        const run = isThere ? claim.run : await start(claim.run)
        await store.results.settle(stored, { run })
        return run
      } catch (error) {
        await store.results.release(stored)
        throw error
      }
    }
    await new Promise<void>((resolve) => clock.after(PAUSE_MS, resolve))
  }
  throw new HttpProblem(
    409,
    'key_busy',
    'another request with this Idempotency-Key is in progress',
    {
      retryAfter: 1,
    },
  )
}

const runIn = (result: Json): string | undefined => {
  const run = isJsonObject(result) ? result['run'] : undefined
  return typeof run === 'string' ? run : undefined
}
