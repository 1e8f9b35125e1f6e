/** Limits concurrent callers; others wait in order of arrival. */
export interface Turns {
  /** Resolves when it is the caller's turn; rejects with the signal's reason if it aborts first. */
  readonly take: (signal: AbortSignal) => Promise<void>
  /** Ends a turn. */
  readonly give: () => void
}

export function turns(atOnce: number): Turns {
  const waiting = new Set<() => void>()
  let free = atOnce
  return {
    async take(signal) {
      signal.throwIfAborted()
      if (free > 0) {
        free -= 1
        return
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const leave = (): void => reject(signal.reason)
      waiting.add(resolve)
      signal.addEventListener('abort', leave)
      await promise.finally(() => {
        waiting.delete(resolve)
        signal.removeEventListener('abort', leave)
      })
    },
    give() {
      const [next] = waiting
      if (next === undefined) free += 1
      else {
        // Removed here and not when the waiter wakes, since a second `give` would wake it again.
        waiting.delete(next)
        next()
      }
    },
  }
}
