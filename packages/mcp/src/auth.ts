import type { Json } from 'echelon/runtime'

/** Sign-in for a server that requires OAuth 2.1. */
export interface McpAuth {
  /**
   * Stores registration and tokens, so that the user signs in once; `authFile` stores them in a
   * private file.
   */
  readonly store: McpAuthStore
  /**
   * Shows the sign-in page to the user or opens a browser. Without it the user is never asked to
   * sign in, and only stored tokens are used.
   */
  readonly authorize?: (page: URL) => void | Promise<void>
  /** Time limit for the user to sign in, in milliseconds; default five minutes. */
  readonly timeoutMs?: number
  /** Id of a registered client; by default one is registered with the server. */
  readonly clientId?: string
  readonly clientSecret?: string
  /** Scope to request if the server does not name one. */
  readonly scope?: string
  /** Local port for the redirect; default the port of the registered client, or any free port. */
  readonly redirectPort?: number
}

/**
 * Port: stores registration and tokens by server. They are secrets.
 * Contract: `read` returns what was last written under the key; writing `null` removes it.
 */
export interface McpAuthStore {
  read(key: string): Promise<Json | undefined>
  write(key: string, value: Json): Promise<void>
}
