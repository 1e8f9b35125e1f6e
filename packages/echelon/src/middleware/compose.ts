import { EchelonError } from '../core/value/error.ts'
import type { Middleware } from '../core/extension/defined-middleware.ts'
import type { Chain, Link, MiddlewareRun, Pipeline } from '../core/extension/middleware.ts'

/**
 * Composes an agent's middleware into one pipeline: one function per hook, built once. The first middleware
 * is outermost; a hook that no middleware implements is absent.
 * @throws EchelonError INVALID_DEFINITION when a middleware that keeps a state or replaces a part of the
 * runtime appears twice
 */
export function compose(middlewares: readonly Middleware[]): Pipeline {
  checkMiddlewares(middlewares)
  const chains = {
    turn: chain(middlewares.flatMap(({ turn }) => turn ?? [])),
    prompt: chain(middlewares.flatMap(({ prompt }) => prompt ?? [])),
    generate: chain(middlewares.flatMap(({ generate }) => generate ?? [])),
    permit: chain(middlewares.flatMap(({ permit }) => permit ?? [])),
    tool: chain(middlewares.flatMap(({ tool }) => tool ?? [])),
  }
  const { turn, prompt, generate, permit, tool } = chains
  return Object.freeze({
    slots: middlewares.flatMap(({ slot }) => slot ?? []),
    replaces: new Set(middlewares.flatMap(({ replaces }) => replaces)),
    streams: middlewares.flatMap(({ stream }) => stream ?? []),
    ...(turn && { turn }),
    ...(prompt && { prompt }),
    ...(generate && { generate }),
    ...(permit && { permit }),
    ...(tool && { tool }),
  })
}

/**
 * The last link calls `end`, which may differ from call to call. All links share one list: a function
 * for each would take five times the memory.
 */
function chain<Request, Answer>(
  links: readonly Link<Request, Answer>[],
): Chain<Request, Answer> | undefined {
  if (links.length === 0) return undefined
  const from = (
    index: number,
    request: Request,
    end: (request: Request) => Answer,
    run: MiddlewareRun,
  ): Answer => {
    const link = links[index]
    if (link === undefined) return end(request)
    return link(request, (passed) => from(index + 1, passed, end, run), run)
  }
  return (request, end, run) => from(0, request, end, run)
}

/**
 * Refuses duplicates: two of a kind would count twice in one state, or retry each other's retries.
 * @throws EchelonError INVALID_DEFINITION
 */
export function checkMiddlewares(middlewares: readonly Middleware[]): void {
  const seen = new Set<string>()
  for (const { key, slot, replaces } of middlewares) {
    if (slot === undefined && replaces.length === 0) continue
    if (seen.has(key)) throw twice(key, slot === undefined)
    seen.add(key)
  }
}

const twice = (key: string, isStateless: boolean): EchelonError =>
  new EchelonError(
    'INVALID_DEFINITION',
    isStateless
      ? `two middlewares ${key} replace the same part of the runtime, so their effects would multiply; leave out one, the agent's or the run's`
      : `two middlewares keep a state under the key ${key}; leave one out, or give it another name or namespace`,
  )
