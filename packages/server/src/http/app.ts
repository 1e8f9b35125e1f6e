import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import type { JsonObject } from 'echelon/runtime'
import { checkSite, type SiteRules } from '../access/own-machine.ts'
import type { Principal } from '../access/principal.ts'
import type { RequestRate } from '../access/request-rate.ts'
import { faultLine } from './log-line.ts'
import { HttpProblem, problemOf } from './problem.ts'
import { securityHeaders } from './security-headers.ts'
import type { App, Env, Protocol, ServerContext } from './server-context.ts'

export interface AppOptions {
  readonly protocols: readonly Protocol[]
  readonly context: ServerContext
  /** The sender of a request. @throws HttpProblem 401, 403 or 429 */
  readonly authenticate: (request: Request) => Principal | Promise<Principal>
  readonly rate: RequestRate
  /** Bytes of a request's body. */
  readonly maxBodyBytes: number
  readonly site: () => SiteRules
}

const LONGEST_URL = 8192

/** The app of all protocols: limits, authentication, routes, and errors in one form. */
export function createApp(options: AppOptions): App {
  const { protocols, context, authenticate, rate, maxBodyBytes } = options
  const app = new Hono<Env>()
  const open = protocols.flatMap(({ open: paths = [] }) => paths)
  const isOpen = (path: string): boolean => open.some((one) => fits(one, path))
  const refusal = (problem: HttpProblem, path: string): JsonObject => {
    for (const protocol of protocols) {
      const own = protocol.refusal?.(problem, path)
      if (own !== undefined) return own
    }
    return { error: { code: problem.code, message: problem.message } }
  }
  app.onError((error, c) => {
    const problem = problemOf(error)
    if (problem.status >= 500) context.log(`${c.req.method} ${c.req.path}: ${faultLine(error)}`)
    if (problem.retryAfter !== undefined) c.header('retry-after', String(problem.retryAfter))
    if (problem.status === 401) c.header('www-authenticate', 'Bearer')
    return c.json(refusal(problem, c.req.path), problem.status)
  })
  const nothing = new HttpProblem(404, 'not_found', 'there is nothing at this address')
  app.notFound((c) => c.json(refusal(nothing, c.req.path), 404))
  app.use('*', context.metrics.watch)
  guard(app, options)
  app.use('*', async (c, next) => {
    if (!isOpen(c.req.path)) {
      const principal = await authenticate(c.req.raw)
      rate.admit(principal)
      c.set('principal', principal)
    }
    await next()
  })
  // After the authentication, since it may read the body.
  app.use(
    '*',
    bodyLimit({
      maxSize: maxBodyBytes,
      onError: () => {
        throw new HttpProblem(413, 'too_large', `the body is larger than ${maxBodyBytes} bytes`)
      },
    }),
  )
  for (const protocol of protocols) protocol.mount(app, context)
  return app
}

/** Checks of every request, before authentication. */
function guard(app: App, { site }: AppOptions): void {
  app.use('*', securityHeaders)
  app.use('*', async (c, next) => {
    if (c.req.url.length > LONGEST_URL) {
      throw new HttpProblem(414, 'too_long', `the address is longer than ${LONGEST_URL} characters`)
    }
    checkSite(c.req.raw, site())
    await next()
  })
  if (site().origins.length > 0) {
    app.use('*', cors({ origin: [...site().origins], exposeHeaders: EXPOSED, maxAge: 600 }))
  }
}

const EXPOSED = [
  'retry-after',
  'content-disposition',
  'location',
  'mcp-session-id',
  'x-vercel-ai-ui-message-stream',
  ...['run', 'model', 'cost', 'checked', 'confidence', 'escalated'].map(
    (name) => `x-echelon-${name}`,
  ),
]

/** Whether a path fits a pattern, in which `*` is anything at the end, and elsewhere one segment. */
function fits(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (pattern.endsWith('*')) return path.startsWith(pattern.slice(0, -1))
  return (
    wanted.length === given.length && wanted.every((one, at) => one === '*' || one === given[at])
  )
}
