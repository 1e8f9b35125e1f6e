import { ClientError } from 'echelon/client'
import { useSyncExternalStore } from 'react'

/* Whether the server wants a token that this page does not have. */

let signedOut = false
const listeners = new Set<() => void>()

const isSignedOut = (): boolean => signedOut

export function setSignedOut(value: boolean): void {
  signedOut = value
  for (const tell of listeners) tell()
}

/** Asks for a token when the server wants one, whatever was asked of it. */
export function noteRefusal(error: unknown): void {
  if (isUnknownToken(error) && !signedOut) setSignedOut(true)
}

export const isUnknownToken = (error: unknown): boolean =>
  error instanceof ClientError && error.status === 401

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSignedOut = (): boolean => useSyncExternalStore(subscribe, isSignedOut)
