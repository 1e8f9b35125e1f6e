import type { Context } from 'hono'
import { z } from 'zod'
import { jsonBody } from '../http/json-body.ts'
import { HttpProblem } from '../http/problem.ts'
import type { App, Env } from '../http/server-context.ts'
import type { OpenApi } from './open-api.ts'

/** Where endpoints are added: the app, and the document that describes them. */
export interface Api {
  readonly app: App
  readonly document: OpenApi
}

/** For an endpoint that takes no query, or no body. */
export const none: z.ZodType = z.unknown()

export interface Endpoint<Query, Body> {
  readonly method: 'get' | 'post' | 'put' | 'delete'
  /** Such as `/runs/{id}`. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly query: z.ZodType<Query>
  readonly body: z.ZodType<Body>
  /** Headers that it reads, by name, with what they mean. */
  readonly headers?: Readonly<Record<string, string>>
  /** By status: a schema of JSON, or the media type of something else. */
  readonly answers: Readonly<Record<number, z.ZodType | string>>
  /** Statuses of errors besides 400, 401 and 429. */
  readonly errors?: readonly number[]
  readonly isOpen?: boolean
  readonly handle: (
    c: Context<Env>,
    given: { readonly query: Query; readonly body: Body },
  ) => Response | Promise<Response>
}

/**
 * Adds a route that checks its input with the schemas in the OpenAPI document.
 * A request that does not fit gets 400, with the first thing that is wrong.
 */
export function endpoint<Query, Body>({ app, document }: Api, route: Endpoint<Query, Body>): void {
  document.add({ ...route, body: Object.is(route.body, none) ? undefined : route.body })
  const { method, path, query, body, handle } = route
  const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1')
  app.on(method.toUpperCase(), pattern, async (c) => {
    const asked = checked(query, c.req.query())
    const sent: unknown = Object.is(body, none) ? undefined : await jsonBody(c)
    return handle(c, { query: asked, body: checked(body, sent) })
  })
}

function checked<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  const message = `${where}${issue?.message ?? 'it does not fit'}`.slice(0, LONGEST_MESSAGE)
  throw new HttpProblem(400, 'invalid_input', message)
}

const LONGEST_MESSAGE = 300
