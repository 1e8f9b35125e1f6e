import type { JsonObject } from 'echelon/runtime'
import type { Tool } from 'echelon/chat'
import type { Auth } from './auth.ts'

/** An operation, to choose from. */
export interface OperationFacts {
  /** What its tool is called. */
  readonly name: string
  /** Small letters, such as `get`. */
  readonly method: string
  /** As the document has it: `/animals/{id}`. */
  readonly path: string
  readonly tags: readonly string[]
}

export interface OpenApiOptions {
  /** Where the document is, or the document: OpenAPI 3.0 or 3.1, as JSON or YAML, up to 5 MiB. */
  readonly document: string | URL | JsonObject
  /** The server, in place of those that the document names. What you give here may be any address. */
  readonly baseUrl?: string
  /**
   * Keys, by the name of the security scheme: a text for a key or a token, user and password for
   * HTTP basic. They are sent to the one server and shown to nobody. With a document of another
   * origin than its server, `baseUrl` must say where to.
   */
  readonly auth?: Auth
  /** Names of the tools that are wanted, or which operations. Default all, up to 200. */
  readonly only?: readonly string[] | ((operation: OperationFacts) => boolean)
  /** Put before each name, such as `shelter_`. Default nothing. */
  readonly prefix?: string
  /** Milliseconds for one answer; default 30,000. */
  readonly timeoutMs?: number
  /** Of one answer; default 262,144. */
  readonly maxBytes?: number
  /** Whether a server that the document names may be of this machine or a private network. Default false. */
  readonly allowPrivate?: boolean
  /** Hears of each operation that there can be no tool of. Default: the first one is thrown. */
  readonly onProblem?: (sentence: string) => void
}

/**
 * The operations of an OpenAPI document as tools. `get` and `head` read; `put` and `delete` may be
 * repeated, `post` and `patch` act, and all four ask before each call, unless a rule allows them.
 * Needs the packages oas and @readme/oas-to-har.
 * @throws EchelonError INVALID_INPUT for a document that cannot be used, an operation that there can
 * be no tool of, or more than 200; INVALID_CONFIG for an option
 */
export async function openApiTools(options: OpenApiOptions): Promise<readonly Tool[]> {
  const { documentTools } = await import('./document-tools.ts')
  return documentTools(options)
}
