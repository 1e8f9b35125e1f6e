import type { Json } from 'echelon/runtime'

/** How somebody signs in to a server that wants OAuth 2.1. */
export interface McpAuth {
  /** Keeps what signing in gave, so that it is done once; `authFile` keeps it in a private file. */
  readonly store: McpAuthStore
  /**
   * Shows the address at which the user signs in, or opens a browser there. Without it nobody is
   * asked to: what the store holds must do.
   */
  readonly authorize?: (page: URL) => void | Promise<void>
  /** How long somebody may take to sign in, in milliseconds; default five minutes. */
  readonly timeoutMs?: number
  /** Of a client that is registered already; without it one is registered with the server. */
  readonly clientId?: string
  readonly clientSecret?: string
  /** What is asked for, where the server does not say itself. */
  readonly scope?: string
  /** Of this machine, to which the browser comes back; default the one that is registered, or any that is free. */
  readonly redirectPort?: number
}

/**
 * Port: what signing in gave, by server. It holds secrets.
 * Contract: what was last written under a key is read under it; `null` forgets it.
 */
export interface McpAuthStore {
  read(key: string): Promise<Json | undefined>
  write(key: string, value: Json): Promise<void>
}
