import type Oas from 'oas'
import type { Operation } from 'oas/operation'
import { EchelonError, isJsonObject, nearest } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import type { Tool } from 'echelon/chat'
import { allOfCheck } from './all-of-check.ts'
import type { Auth } from './auth.ts'
import { withExplicitStyles } from './explicit-styles.ts'
import { UnusableOperation } from './input-schema.ts'
import { loadDocument } from './load-document.ts'
import type { OpenApiOptions, OperationFacts } from './openapi-tools.ts'
import { operationTool, type SharedContext } from './operation-tool.ts'
import { isPrivateHost } from './public-address.ts'
import { atServer, serverOf } from './server-address.ts'
import { toolNames } from './tool-names.ts'

const MAX_TOOLS = 200

/** Converts the operations of a document to tools, in the order of the document. */
export async function documentTools(options: OpenApiOptions): Promise<readonly Tool[]> {
  const { onProblem, allowPrivate = false, maxBytes = 262_144 } = options
  if (!(maxBytes > 0)) throw invalidOption(`maxBytes is ${maxBytes}; give a number above 0`)
  const [{ default: Document }, { default: toHar }] = await Promise.all([
    import('oas'),
    import('@readme/oas-to-har'),
  ])
  const { document, url } = await loadDocument(options.document)
  const server = serverOf(document, options.baseUrl, url)
  const isServerTrusted = allowPrivate || options.baseUrl !== undefined
  if (!isServerTrusted) await assertPublic(server)
  checkOrigins(options, server, url)
  const checkSize = allOfCheck(document)
  const oas = Document.init(withExplicitStyles(atServer(document, server)))
  checkAuth(oas, options.auth)
  const shared: SharedContext = {
    oas,
    toHar: (operation, values) => toHar(oas, operation, values, authFor(oas, options.auth)),
    server,
    checkSize: ({ path, method }) => checkSize(operationIn(document, path, method)),
    auth: options.auth ?? {},
    timeoutMs: options.timeoutMs ?? 30_000,
    maxBytes,
    ...(!isServerTrusted && { beforeSending: () => assertPublic(server) }),
  }
  return selectOperations(oas, options).flatMap(([name, operation]) => {
    try {
      return operationTool(name, operation, shared)
    } catch (error) {
      const sentence = `${operation.method} ${operation.path} ${whyUnusable(error)}`
      if (onProblem === undefined) {
        throw invalid(`${sentence}; leave it out with only, or set onProblem`)
      }
      onProblem(sentence)
      return []
    }
  })
}

/**
 * Describes an error of a library. They throw various errors for types that are faulty or
 * unsupported.
 */
function whyUnusable(error: unknown): string {
  if (error instanceof UnusableOperation) return error.message
  if (!(error instanceof Error) || error instanceof EchelonError) throw error
  // An internal error of the library means nothing to the author of the document.
  if (error instanceof TypeError || error.message.includes('[object ')) {
    return 'cannot be described (it is not valid OpenAPI)'
  }
  return `cannot be described (${error.message.slice(0, 200)})`
}

/** All operations by tool name. */
function namedOperations(oas: Oas, prefix: string): readonly (readonly [string, Operation])[] {
  try {
    const operations = Object.values(oas.getPaths())
      .flatMap((methods): Operation[] => Object.values(methods))
      .filter(({ method }) => method !== 'trace' && method !== 'options')
    return [...toolNames(operations, prefix)]
  } catch (error) {
    throw invalid(`its operations ${whyUnusable(error)}`)
  }
}

/** The operations that `only` selects. */
function selectOperations(
  oas: Oas,
  { only, prefix = '' }: OpenApiOptions,
): readonly (readonly [string, Operation])[] {
  const named = namedOperations(oas, prefix)
  const selected =
    typeof only === 'function'
      ? named.filter(([name, operation]) => only(factsOf(name, operation)))
      : named.filter(([name]) => only?.includes(name) !== false)
  const names = named.map(([name]) => name)
  const unknown = typeof only === 'object' && only.find((name) => !names.includes(name))
  if (typeof unknown === 'string') {
    const near = nearest(unknown, names)
    throw invalid(
      `only names ${unknown}, but the document has no such operation${near === null ? '' : `; did you mean ${near}?`}`,
    )
  }
  if (selected.length <= MAX_TOOLS) return selected
  throw invalid(
    `the document has ${selected.length} operations, and at most ${MAX_TOOLS} can be tools; choose with only`,
  )
}

const factsOf = (name: string, operation: Operation): OperationFacts => ({
  name,
  method: operation.method,
  path: operation.path,
  tags: operation.getTags().map((tag) => tag.name),
})

function checkAuth({ api }: Oas, auth: Auth = {}): void {
  const known = Object.keys(api.components?.securitySchemes ?? {})
  const unknown = Object.keys(auth).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const available = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`
  throw invalidOption(
    `auth is given for ${unknown}, which is not a security scheme of the document; ${available}`,
  )
}

/** Encodes keys in the query, the only values that the library does not encode. */
const authFor = ({ api }: Oas, auth: Auth = {}): Auth =>
  Object.fromEntries(
    Object.entries(auth).map(([name, value]) => {
      const scheme = api.components?.securitySchemes?.[name]
      const inQuery = scheme !== undefined && 'in' in scheme && scheme.in === 'query'
      return [name, inQuery && typeof value === 'string' ? encodeURIComponent(value) : value]
    }),
  )

/** Also checked before each call, since DNS may change. */
async function assertPublic(server: URL): Promise<void> {
  if (!(await isPrivateHost(server.hostname))) return
  throw invalidOption(
    `the document names the server ${server.host}, which is not public; if you trust it, give it as baseUrl or set allowPrivate`,
  )
}

/** Prevents the author of a remote document from choosing where the keys are sent. */
function checkOrigins(
  { auth = {}, baseUrl }: OpenApiOptions,
  server: URL,
  source: URL | undefined,
): void {
  const isAllowed = baseUrl !== undefined || source === undefined || source.origin === server.origin
  if (isAllowed || Object.keys(auth).length === 0) return
  throw invalidOption(
    `the document at ${source.host} would send the keys of auth to ${server.host}; if that is intended, give the server as baseUrl`,
  )
}

/** The operation with the parameters of its path item, without responses and callbacks. */
function operationIn({ paths = null }: JsonObject, path: string, method: string): Json {
  const item = isJsonObject(paths) ? (paths[path] ?? null) : null
  if (!isJsonObject(item) || '$ref' in item) return item
  const { [method]: operation = null, parameters = null } = item
  if (!isJsonObject(operation)) return [operation, parameters]
  const { responses: _, callbacks: __, ...sent } = operation
  return [sent, parameters]
}

const invalidOption = (sentence: string): EchelonError =>
  new EchelonError('INVALID_CONFIG', sentence)

const invalid = (why: string): EchelonError =>
  new EchelonError('INVALID_INPUT', `the OpenAPI document cannot be used: ${why}`)
