import type { JsonObject } from 'echelon/runtime'
import type { Tool } from 'echelon/chat'
import type { Auth } from './auth.ts'

/** An operation, passed to `only`. */
export interface OperationFacts {
  /** The name of its tool. */
  readonly name: string
  /** In lower case, such as `get`. */
  readonly method: string
  /** As in the document: `/animals/{id}`. */
  readonly path: string
  readonly tags: readonly string[]
}

export interface OpenApiOptions {
  /** The document, or its file or URL: OpenAPI 3.0 or 3.1, as JSON or YAML, up to 5 MiB. */
  readonly document: string | URL | JsonObject
  /** The server to use, in place of the document's servers. May be any address. */
  readonly baseUrl?: string
  /**
   * Keys by security scheme: a string for a key or token, user and password for HTTP basic. They
   * are sent only to the server and never shown. If the document comes from another origin than
   * its server, `baseUrl` is required.
   */
  readonly auth?: Auth
  /** Names of the tools to create, or a filter of operations. Default all, up to 200. */
  readonly only?: readonly string[] | ((operation: OperationFacts) => boolean)
  /** Prefix of each tool name, such as `shelter_`. Default none. */
  readonly prefix?: string
  /** Time limit of one call in milliseconds; default 30,000. */
  readonly timeoutMs?: number
  /** Limit of one response in bytes; default 262,144. */
  readonly maxBytes?: number
  /** Allows the document to name a server on this machine or a private network. Default false. */
  readonly allowPrivate?: boolean
  /** Called for each operation that cannot be a tool. By default the first one is thrown. */
  readonly onProblem?: (sentence: string) => void
}

/**
 * Converts the operations of an OpenAPI document to tools. `get` and `head` read; `put` and
 * `delete` are idempotent; `post` and `patch` act. All four writes ask before each call, unless a
 * rule allows them. Needs the packages oas and @readme/oas-to-har.
 * @throws EchelonError INVALID_INPUT for an unusable document, an operation that cannot be a tool,
 * or more than 200; INVALID_CONFIG for an option
 */
export async function openApiTools(options: OpenApiOptions): Promise<readonly Tool[]> {
  const { documentTools } = await import('./document-tools.ts')
  return documentTools(options)
}
