import type { Middleware } from '../core/extension/defined-middleware.ts'

/** The built-in middleware with default options. Loaded by the first call. */
export async function builtInMiddleware(): Promise<readonly Middleware[]> {
  const built = await import('../middleware/built-in.ts')
  return built.builtInMiddleware()
}
