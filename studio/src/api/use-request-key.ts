import { useRef } from 'react'
import { newId } from './new-id.ts'

interface RequestKey {
  /** The same for each attempt of the same request, so that the server does it once. */
  readonly keyOf: (request: object) => string
  /** The next request is another one, even if it says the same. */
  readonly renew: () => void
}

/** Idempotency keys. An answer can be lost on the way; sending again must not start a second run. */
export function useRequestKey(): RequestKey {
  const last = useRef<{ readonly said: string; readonly key: string }>(undefined)
  return {
    keyOf(request) {
      const said = JSON.stringify(request)
      if (last.current?.said !== said) last.current = { said, key: newId() }
      return last.current.key
    },
    renew() {
      last.current = undefined
    },
  }
}
