import { useSyncExternalStore } from 'react'

/* Whether the server wants a token that this page does not have. */

let signedOut = false
const listeners = new Set<() => void>()

export const isSignedOut = (): boolean => signedOut

export function setSignedOut(value: boolean): void {
  signedOut = value
  for (const tell of listeners) tell()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSignedOut = (): boolean => useSyncExternalStore(subscribe, isSignedOut)
