import { EchelonError } from '../core/error.ts'
import type { Chain, Layer, Link, Pipeline } from '../core/middleware.ts'

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

/** The last link calls what the chain surrounds, which may differ from call to call. */
function chain<Request, Answer>(
  links: readonly Link<Request, Answer>[],
): Chain<Request, Answer> | undefined {
  return links.reduceRight<Chain<Request, Answer> | undefined>(
    (inner, link) =>
      inner === undefined
        ? link
        : (request, end, host) => link(request, (passed) => inner(passed, end, host), host),
    undefined,
  )
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
