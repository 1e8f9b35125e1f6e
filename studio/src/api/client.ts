import { type Client, createClient } from 'echelon/client'
import { watchedFetch } from './connection-state.ts'
import { readToken } from './token.ts'

/** A page may wait for its server for as long as it is open. */
const RECONNECTS = 10_000

function make(): Client {
  const token = readToken()
  return createClient({
    url: location.origin,
    fetch: watchedFetch,
    reconnects: RECONNECTS,
    ...(token !== undefined && { token }),
  })
}

let client = make()

/** The client of the server that this page comes from. */
export const echelon = (): Client => client

/** Uses the token of now from the next request on. */
export function renewClient(): void {
  client = make()
}
