import { EchelonError } from '../../core/value/error.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { Tool } from '../../core/tool/tool.ts'

/**
 * Returns the tools and those that middleware adds, in the order of the middleware.
 * @throws EchelonError INVALID_DEFINITION for a duplicate tool name
 */
export function withMiddlewareTools(
  own: readonly Tool[] = NONE,
  middlewares: readonly Middleware[] = [],
): readonly Tool[] {
  let all = own
  for (const { name, tools } of middlewares) {
    if (tools === undefined) continue
    const taken = new Set(all.map((tool) => tool.name))
    const clash = tools.find((tool) => taken.has(tool.name))
    if (clash !== undefined) throw twice(name, clash.name)
    all = [...all, ...tools]
  }
  return all
}

const NONE: readonly Tool[] = []

const twice = (middleware: string, tool: string): EchelonError =>
  new EchelonError(
    'INVALID_DEFINITION',
    `the middleware ${middleware} adds a tool ${tool}, but there is already one of that name; add it in one place only, or rename one`,
  )
