import type Oas from 'oas'
import type { Operation } from 'oas/operation'
import { isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import { defineTool, ToolError } from 'echelon/internal/tool'
import type { Tool, ToolContext } from 'echelon/chat'
import type { Does } from 'echelon/internal/tool'
import type { Auth } from './auth.ts'
import { checkedInput, type OperationInput } from './checked-input.ts'
import { webRequest } from './har-request.ts'
import { inputSchema, UnusableOperation } from './input-schema.ts'
import { literalQuery } from './literal-query.ts'
import { send } from './send-request.ts'

/** What all operations of a document have in common. */
export interface Surroundings {
  readonly oas: Oas
  /** The request as an HTTP Archive has it, keys included. */
  readonly toHar: (
    operation: Operation,
    values: OperationInput,
  ) => { readonly log: { readonly entries: readonly { readonly request: unknown }[] } }
  readonly server: URL
  /** @throws UnusableOperation for one that the library would be busy with for very long */
  readonly checkSize: (operation: Operation) => void
  readonly auth: Auth
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly beforeSending?: () => Promise<void>
}

/** What may be repeated after a crash is what HTTP says of the method. */
const DOES: Readonly<Record<string, Does>> = {
  get: 'reads',
  head: 'reads',
  put: 'idempotent',
  delete: 'idempotent',
}

/** @throws UnusableOperation */
export function operationTool(name: string, operation: Operation, around: Surroundings): Tool {
  const does = DOES[operation.method] ?? 'acts'
  checkBody(operation, does)
  around.checkSize(operation)
  return defineTool({
    name,
    description: descriptionOf(operation),
    does,
    needsApproval: does !== 'reads',
    origin: `the API behind ${name}`,
    timeoutMs: around.timeoutMs,
    input: checkedInput(inputSchema(operation)),
    run: (input, context) => call(operation, input, { around, context }),
  })
}

async function call(
  operation: Operation,
  input: OperationInput,
  { around, context }: { readonly around: Surroundings; readonly context: ToolContext },
): Promise<Json> {
  checkParameters(input)
  await around.beforeSending?.()
  const { query, header, body, ...others } = input
  const isJson = operation.isJson()
  const values = {
    ...others,
    ...(query !== undefined && { query: literalQuery(query) }),
    ...(header !== undefined && { header: withoutIgnored(header) }),
    ...(body !== undefined && !isJson && { body }),
  }
  const [entry] = around.toHar(operation, values).log.entries
  // As it was approved: the library takes texts for numbers and leaves out what is empty.
  const request = webRequest(
    entry?.request,
    isJson && body !== undefined
      ? { type: operation.getContentType(), text: JSON.stringify(body) }
      : undefined,
  )
  if (request.url.origin !== around.server.origin) {
    throw new ToolError('INVALID_ARGS', 'the arguments lead to another server')
  }
  const { maxBytes } = around
  return send(request, { maxBytes, signal: context.signal, hide: hiding(around.auth) })
}

/** OpenAPI has parameters of these names ignored; a model must not choose whom it calls as. */
const IGNORED: readonly string[] = ['accept', 'authorization', 'content-type']

const withoutIgnored = (header: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(header).filter(([name]) => !IGNORED.includes(name.toLowerCase())),
  )

/** The library does not encode names within objects: they could begin another parameter. */
const ODD = /[&=#?%;,|[\]\s]/

function checkParameters({
  path = {},
  query = {},
  header = {},
  cookie = {},
}: OperationInput): void {
  const empty = Object.entries(path).find(([, value]) => value === '')
  if (empty !== undefined) throw new ToolError('INVALID_ARGS', `path.${empty[0]} is empty`)
  for (const value of [path, query, header, cookie].flatMap((place) => Object.values(place))) {
    const odd = isJsonObject(value) ? Object.keys(value).find((key) => ODD.test(key)) : undefined
    if (odd === undefined) continue
    throw new ToolError('INVALID_ARGS', `${JSON.stringify(odd)} cannot be the name of a parameter`)
  }
}

function checkBody(operation: Operation, does: Does): void {
  if (!operation.hasRequestBody()) return
  if (does === 'reads') throw new UnusableOperation('reads, and has a body')
  if (operation.isJson() || operation.isFormUrlEncoded()) return
  throw new UnusableOperation(`takes a body of the type ${operation.getContentType()}`)
}

/** What a document says at length costs tokens at each call. */
const MOST_CHARACTERS = 1024

function descriptionOf(operation: Operation): string {
  const said = [operation.getSummary(), operation.getDescription()]
    .filter((text) => text !== undefined && text !== '')
    .join(': ')
    .replaceAll(/\s+/g, ' ')
    .slice(0, MOST_CHARACTERS)
  const call = `${operation.method.toUpperCase()} ${operation.path}`
  return said === '' ? call : `${said} (${call})`
}

/** A server may say a key again that it was sent. */
function hiding(auth: Auth): (text: string) => string {
  const secrets = Object.values(auth)
    .flatMap((value) =>
      typeof value === 'string' ? [value] : [value.pass, btoa(`${value.user}:${value.pass}`)],
    )
    .filter((secret) => secret.length >= SHORTEST)
    .flatMap((secret) => [secret, ...written(secret)])
    // The longest first: one may be part of another.
    .toSorted((a, b) => b.length - a.length)
  return (text) => secrets.reduce((all, secret) => all.replaceAll(secret, '[hidden]'), text)
}

/** As it stands in an address, and in JSON, where some write `/` as `\/`. */
function written(secret: string): readonly string[] {
  const inJson = JSON.stringify(secret).slice(1, -1)
  const inAddress = [
    encodeURIComponent(secret),
    new URLSearchParams({ k: secret }).toString().slice(2),
  ]
  return [...inAddress, inJson, inJson.replaceAll('/', '\\/')]
}

/** What is shorter is found in any text. */
const SHORTEST = 6
