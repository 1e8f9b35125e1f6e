/** Lets at most a number of callers in at once; the others wait in the order they came. */
export interface Turns {
  /** Resolves when it is the caller's turn; rejects with the signal's reason if that comes first. */
  readonly take: (signal: AbortSignal) => Promise<void>
  /** Ends a turn that was taken. */
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
        // Removed here and not when the waiter wakes, or a second `give` would wake it again.
        waiting.delete(next)
        next()
      }
    },
  }
}
