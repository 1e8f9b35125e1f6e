import { useSyncExternalStore } from 'react'

/* Whether the server answers, as the last request found. */

let away = false
const listeners = new Set<() => void>()

function set(value: boolean): void {
  if (away === value) return
  away = value
  for (const tell of listeners) tell()
}

/** `fetch`, which notes whether the server answers. */
export const watchedFetch: typeof fetch = async (input, init) => {
  try {
    const answer = await fetch(input, init)
    set(false)
    return answer
  } catch (error) {
    // An abort is the page's own.
    if (init?.signal?.aborted !== true) set(true)
    throw error
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useServerAway = (): boolean => useSyncExternalStore(subscribe, () => away)
