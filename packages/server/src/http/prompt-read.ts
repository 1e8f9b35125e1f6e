/** The error of an answer that takes too long. */
export class LateAnswer extends Error {}

/** A reading that hangs for longer is given up: a new one may have a connection that works. */
const MOST_SHARED_MS = 10_000

/**
 * Reads what may take long, such as from a database that is away, and waits for it at most `ms` milliseconds. Whoever
 * asks meanwhile shares the reading, so that probes of a database that is away do not pile up.
 * @returns a function that rejects with `LateAnswer` when the time is over
 */
export function promptly<Answer>(read: () => Promise<Answer>, ms: number): () => Promise<Answer> {
  let shared: { readonly answer: Promise<Answer>; readonly since: number } | undefined
  return () => {
    if (shared === undefined || performance.now() - shared.since > MOST_SHARED_MS) {
      const mine = { answer: read(), since: performance.now() }
      const over = (): void => {
        if (shared === mine) shared = undefined
      }
      mine.answer.then(over, over)
      shared = mine
    }
    return within(ms, shared.answer)
  }
}

async function within<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new LateAnswer(`no answer in ${ms} ms`)), ms)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
