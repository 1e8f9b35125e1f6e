import { EchelonError } from '../core/error.ts'
import type { Chain, Layer, Link, MiddlewareHost, Pipeline } from '../core/middleware.ts'

/**
 * The middleware of an agent as one pipeline: each hook is one function, made here and never again.
 * First is outermost; a hook that nobody has is absent.
 * @throws EchelonError INVALID_DEFINITION when two of them would keep a state under one name
 */
export function compose(layers: readonly Layer[]): Pipeline {
  checkNames(layers)
  const chains = {
    turn: chain(layers.flatMap(({ turn }) => turn ?? [])),
    prompt: chain(layers.flatMap(({ prompt }) => prompt ?? [])),
    generate: chain(layers.flatMap(({ generate }) => generate ?? [])),
    permit: chain(layers.flatMap(({ permit }) => permit ?? [])),
    tool: chain(layers.flatMap(({ tool }) => tool ?? [])),
  }
  const { turn, prompt, generate, permit, tool } = chains
  return Object.freeze({
    layers,
    slots: layers.flatMap(({ slot }) => slot ?? []),
    replaces: new Set(layers.flatMap(({ replaces }) => replaces)),
    streams: layers.flatMap(({ stream }) => stream ?? []),
    ...(turn && { turn }),
    ...(prompt && { prompt }),
    ...(generate && { generate }),
    ...(permit && { permit }),
    ...(tool && { tool }),
  })
}

/**
 * The last link calls what the chain surrounds, which may differ from call to call. One list is walked
 * for all links: a function for each would take five times the room.
 */
function chain<Request, Answer>(
  links: readonly Link<Request, Answer>[],
): Chain<Request, Answer> | undefined {
  if (links.length === 0) return undefined
  const from = (
    index: number,
    request: Request,
    end: (request: Request) => Answer,
    host: MiddlewareHost,
  ): Answer => {
    const link = links[index]
    if (link === undefined) return end(request)
    return link(request, (passed) => from(index + 1, passed, end, host), host)
  }
  return (request, end, host) => from(0, request, end, host)
}

function checkNames(layers: readonly Layer[]): void {
  const seen = new Map<string, string>()
  for (const { name, key, slot } of layers) {
    if (slot === undefined) continue
    const other = seen.get(name)
    if (other !== undefined) {
      throw new EchelonError(
        'INVALID_DEFINITION',
        `two middlewares keep a state called ${name} (${other} and ${key}); leave one out, or give it another name`,
      )
    }
    seen.set(name, key)
  }
}
