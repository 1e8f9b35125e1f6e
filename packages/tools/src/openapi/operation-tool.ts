import type Oas from 'oas'
import type { Operation } from 'oas/operation'
import { isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import { defineTool, ToolError, type Does } from 'echelon/internal/tool'
import type { Tool, ToolContext } from 'echelon/chat'
import type { Auth } from './auth.ts'
import { checkedInput, type OperationInput } from './checked-input.ts'
import { webRequest } from './har-request.ts'
import { inputSchema, UnusableOperation } from './input-schema.ts'
import { literalQuery } from './literal-query.ts'
import { send } from './send-request.ts'

/** The parts that all operations of a document share. */
export interface SharedContext {
  readonly oas: Oas
  /** Builds the request as an HTTP Archive entry, keys included. */
  readonly toHar: (
    operation: Operation,
    values: OperationInput,
  ) => { readonly log: { readonly entries: readonly { readonly request: unknown }[] } }
  readonly server: URL
  /** @throws UnusableOperation if the library would take too long to convert it */
  readonly checkSize: (operation: Operation) => void
  readonly auth: Auth
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly beforeSending?: () => Promise<void>
}

/** Which methods may be repeated after a crash, by the HTTP specification. */
const DOES: Readonly<Record<string, Does>> = {
  get: 'reads',
  head: 'reads',
  put: 'idempotent',
  delete: 'idempotent',
}

/** @throws UnusableOperation */
export function operationTool(name: string, operation: Operation, shared: SharedContext): Tool {
  const does = DOES[operation.method] ?? 'acts'
  checkBody(operation, does)
  shared.checkSize(operation)
  return defineTool({
    name,
    description: descriptionOf(operation),
    does,
    needsApproval: does !== 'reads',
    origin: `the API behind ${name}`,
    timeoutMs: shared.timeoutMs,
    input: checkedInput(inputSchema(operation)),
    run: (input, context) => call(operation, input, { shared, context }),
  })
}

async function call(
  operation: Operation,
  input: OperationInput,
  { shared, context }: { readonly shared: SharedContext; readonly context: ToolContext },
): Promise<Json> {
  checkParameters(input)
  await shared.beforeSending?.()
  const { query, header, body, ...others } = input
  const isJson = operation.isJson()
  const values = {
    ...others,
    ...(query !== undefined && { query: literalQuery(query) }),
    ...(header !== undefined && { header: withoutIgnored(header) }),
    ...(body !== undefined && !isJson && { body }),
  }
  const [entry] = shared.toHar(operation, values).log.entries
  // Sends the body as it was approved. The library converts texts to numbers and drops empty
  // values.
  const request = webRequest(
    entry?.request,
    isJson && body !== undefined
      ? { type: operation.getContentType(), text: JSON.stringify(body) }
      : undefined,
  )
  if (request.url.origin !== shared.server.origin) {
    throw new ToolError('INVALID_ARGS', 'the arguments would change the server')
  }
  const { maxBytes } = shared
  return send(request, { maxBytes, signal: context.signal, hide: keyRedactor(shared.auth) })
}

/** OpenAPI ignores header parameters with these names. A model must not choose its identity. */
const IGNORED: readonly string[] = ['accept', 'authorization', 'content-type']

const withoutIgnored = (header: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(header).filter(([name]) => !IGNORED.includes(name.toLowerCase())),
  )

/** Characters that must not occur in names of an object: the library does not encode them. */
const RESERVED = /[&=#?%;,|[\]\s]/

function checkParameters({
  path = {},
  query = {},
  header = {},
  cookie = {},
}: OperationInput): void {
  const empty = Object.entries(path).find(([, value]) => value === '')
  if (empty !== undefined) throw new ToolError('INVALID_ARGS', `path.${empty[0]} is empty`)
  for (const value of [path, query, header, cookie].flatMap((place) => Object.values(place))) {
    const invalid = isJsonObject(value)
      ? Object.keys(value).find((key) => RESERVED.test(key))
      : undefined
    if (invalid === undefined) continue
    throw new ToolError('INVALID_ARGS', `${JSON.stringify(invalid)} is not a valid parameter name`)
  }
}

function checkBody(operation: Operation, does: Does): void {
  if (!operation.hasRequestBody()) return
  if (does === 'reads') throw new UnusableOperation('is a read with a body')
  if (operation.isJson() || operation.isFormUrlEncoded()) return
  throw new UnusableOperation(`takes a body of type ${operation.getContentType()}`)
}

/** Limits descriptions, which cost tokens at each call. */
const MAX_DESCRIPTION_CHARACTERS = 1024

function descriptionOf(operation: Operation): string {
  const description = [operation.getSummary(), operation.getDescription()]
    .filter((text) => text !== undefined && text !== '')
    .join(': ')
    .replaceAll(/\s+/g, ' ')
    .slice(0, MAX_DESCRIPTION_CHARACTERS)
  const call = `${operation.method.toUpperCase()} ${operation.path}`
  return description === '' ? call : `${description} (${call})`
}

/** Replaces keys in text, since a server may repeat a key that it was sent. */
function keyRedactor(auth: Auth): (text: string) => string {
  const secrets = Object.values(auth)
    .flatMap((value) =>
      typeof value === 'string' ? [value] : [value.pass, btoa(`${value.user}:${value.pass}`)],
    )
    .filter((secret) => secret.length >= MIN_SECRET_CHARACTERS)
    .flatMap((secret) => [secret, ...encodedForms(secret)])
    // Longest first, since one may be part of another.
    .toSorted((a, b) => b.length - a.length)
  return (text) => secrets.reduce((all, secret) => all.replaceAll(secret, '[hidden]'), text)
}

/** The secret as encoded in a URL and in JSON, where `/` may be written as `\/`. */
function encodedForms(secret: string): readonly string[] {
  const inJson = JSON.stringify(secret).slice(1, -1)
  const inAddress = [
    encodeURIComponent(secret),
    new URLSearchParams({ k: secret }).toString().slice(2),
  ]
  return [...inAddress, inJson, inJson.replaceAll('/', '\\/')]
}

/** Shorter secrets are not replaced: they occur in ordinary text. */
const MIN_SECRET_CHARACTERS = 6
