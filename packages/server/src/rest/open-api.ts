import { isJson, isJsonObject, type Json, type JsonObject } from 'echelon/runtime'
import { z } from 'zod'
import { errorView } from './schemas.ts'

/** An endpoint as the document describes it. */
export interface Described {
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly query: z.ZodType
  readonly body: z.ZodType | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly answers: Readonly<Record<number, z.ZodType | string>>
  readonly errors?: readonly number[]
  readonly isOpen?: boolean
}

const MEANING: Readonly<Record<number, string>> = {
  400: 'The request does not fit',
  401: 'There is no token, or an unknown one',
  403: 'Only operators may do this, or your token does not allow it',
  404: 'It does not exist, or it is another user’s',
  409: 'It conflicts with what is there',
  413: 'The body is too large',
  429: 'A limit is reached; retry-after says when to try again',
  503: 'The server is stopping or not ready',
}

/** The OpenAPI 3.1 document of the endpoints, made from the schemas that check requests. */
export class OpenApi {
  readonly #endpoints: Described[] = []

  add(endpoint: Described): void {
    this.#endpoints.push(endpoint)
  }

  document(version: string): JsonObject {
    const schemas: Record<string, Json> = {}
    const paths: Record<string, Record<string, Json>> = {}
    for (const one of this.#endpoints) {
      const operations = (paths[one.path] ??= {})
      operations[one.method] = operationOf(one, (schema) => schemaOf(schema, schemas))
    }
    return {
      openapi: '3.1.0',
      info: {
        title: 'Echelon',
        version,
        description: 'Starts, follows, answers and cancels runs of the served agents.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      paths,
      components: {
        schemas,
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'A token of the server; none is needed if it has none',
          },
        },
      },
    }
  }
}

type Shown = (schema: z.ZodType) => Json

function operationOf(endpoint: Described, shown: Shown): JsonObject {
  const { tag, summary, body, isOpen = false } = endpoint
  return {
    tags: [tag],
    summary,
    operationId: operationId(endpoint),
    security: isOpen ? [] : [{ bearer: [] }],
    parameters: parametersOf(endpoint, shown),
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: shown(body) } } },
    }),
    responses: { ...successes(endpoint, shown), ...failures(endpoint, shown) },
  }
}

const operationId = ({ method, path }: Described): string =>
  `${method}${path.replaceAll(/[^a-z]+([a-z])?/g, (_, next: string = '') => next.toUpperCase())}`

function parametersOf({ path, query, headers = {} }: Described, shown: Shown): readonly Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const asked = shown(query)
  const fields = isJsonObject(asked) ? asked['properties'] : undefined
  const inQuery = Object.entries(isJsonObject(fields) ? fields : {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
  }))
  const inHeaders = Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }))
  return [...inPath, ...inQuery, ...inHeaders]
}

const successes = ({ answers, summary }: Described, shown: Shown): JsonObject =>
  Object.fromEntries(
    Object.entries(answers).map(([status, answer]): [string, Json] => {
      const content =
        typeof answer === 'string'
          ? { [answer]: { schema: { type: 'string' } } }
          : { 'application/json': { schema: shown(answer) } }
      return [status, { description: summary, content }]
    }),
  )

function failures({ errors = [], isOpen = false }: Described, shown: Shown): JsonObject {
  const statuses = [400, ...(isOpen ? [] : [401, 429]), ...errors]
  const content = { 'application/json': { schema: shown(errorView) } }
  return Object.fromEntries(
    statuses.map((status) => [status, { description: MEANING[status] ?? 'Error', content }]),
  )
}

/** A schema in the document; named ones are collected, and referred to by their name. */
function schemaOf(schema: z.ZodType, named: Record<string, Json>): Json {
  const made: unknown = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const copy: unknown = JSON.parse(
    JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/'),
  )
  if (!isJson(copy) || !isJsonObject(copy)) return {}
  const { $schema: _, $defs = {}, id, ...rest } = copy
  for (const [name, definition] of Object.entries(isJsonObject($defs) ? $defs : {})) {
    named[name] = withoutId(definition)
  }
  if (typeof id !== 'string') return rest
  named[id] = rest
  return { $ref: `#/components/schemas/${id}` }
}

function withoutId(schema: Json): Json {
  if (!isJsonObject(schema)) return schema
  const { id: _, ...rest } = schema
  return rest
}
