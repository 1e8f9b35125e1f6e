import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Principal } from '../access/principal.ts'
import { HttpProblem, problemOf } from './problem.ts'
import type { App, Env, Protocol, ServerContext } from './server-context.ts'

export interface AppOptions {
  readonly protocols: readonly Protocol[]
  readonly context: ServerContext
  /** Who sends a request. @throws HttpProblem 401, 403 or 429 */
  readonly authenticate: (request: Request) => Principal | Promise<Principal>
  /** Bytes of a request's body. */
  readonly maxBodyBytes: number
}

/** The app of all protocols: limits, authentication, routes, and errors in one form. */
export function createApp({ protocols, context, authenticate, maxBodyBytes }: AppOptions): App {
  const app = new Hono<Env>()
  const open = protocols.flatMap(({ open: paths = [] }) => paths)
  const isOpen = (path: string): boolean =>
    open.some((one) => (one.endsWith('*') ? path.startsWith(one.slice(0, -1)) : path === one))
  app.onError((error, c) => {
    const problem = problemOf(error)
    if (problem.status >= 500) context.log(`${c.req.method} ${c.req.path}: ${String(error)}`)
    if (problem.retryAfter !== undefined) c.header('retry-after', String(problem.retryAfter))
    if (problem.status === 401) c.header('www-authenticate', 'Bearer')
    return c.json({ error: { code: problem.code, message: problem.message } }, problem.status)
  })
  app.notFound((c) =>
    c.json(
      { error: { code: 'not_found', message: `there is no ${c.req.method} ${c.req.path}` } },
      404,
    ),
  )
  app.use(
    '*',
    bodyLimit({
      maxSize: maxBodyBytes,
      onError: () => {
        throw new HttpProblem(413, 'too_large', `the body is larger than ${maxBodyBytes} bytes`)
      },
    }),
  )
  app.use('*', async (c, next) => {
    if (!isOpen(c.req.path)) c.set('principal', await authenticate(c.req.raw))
    await next()
  })
  for (const protocol of protocols) protocol.mount(app, context)
  return app
}
