import { type Client, createClient } from 'echelon/client'
import { readToken } from './token.ts'

/** The server that this page comes from. */
export const SERVER = location.origin

let token = readToken()
let client = createClient({ url: SERVER, ...(token !== undefined && { token }) })

/** The client of the server, with the token of now. */
export function echelon(): Client {
  const now = readToken()
  if (now !== token) {
    token = now
    client = createClient({ url: SERVER, ...(now !== undefined && { token: now }) })
  }
  return client
}
