import { useSyncExternalStore } from 'react'

/* Whether the server answers, as the last request found. */

const ASKED_AGAIN_MS = 2000

let away = false
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function set(value: boolean): void {
  if (away === value) return
  away = value
  clearInterval(timer)
  // A view may have nothing more to ask, and would not notice that the server is back.
  if (away)
    timer = setInterval(() => void watchedFetch('/healthz').catch(() => undefined), ASKED_AGAIN_MS)
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
