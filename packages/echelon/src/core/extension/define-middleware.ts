import { EchelonError } from '../value/error.ts'
import type { Middleware, MiddlewareSpec } from './defined-middleware.ts'
import type { MiddlewareRun } from './middleware.ts'
import { type ContextOf, contextsOf, statelessContexts } from './middleware-context.ts'
import { slotOf } from '../state/state-slot.ts'

const WORD = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/

/**
 * Defines a middleware from its hooks and, if it keeps one, its state. The returned factory can be used
 * any number of times: `builder.use(counter())`. The state is typed by its schema, for the hooks and for
 * readers of `result.state.middleware.counter`.
 * @throws EchelonError INVALID_DEFINITION for an invalid name, version or initial state
 */
export function defineMiddleware<const Name extends string, State = undefined>(
  spec: MiddlewareSpec<Name, State>,
): () => Middleware<Name, State> {
  const { name, namespace = 'app', replaces = [], tools = [], origin } = spec
  for (const word of [name, namespace]) {
    if (!WORD.test(word)) throw badName(word)
  }
  const key = `${namespace}/${name}`
  const slot = spec.state === undefined ? undefined : slotOf(key, spec.state)
  const contextOf =
    spec.state === undefined || slot === undefined
      ? statelessContexts<State>(key, name)
      : contextsOf(name, slot, spec.state)
  const middleware: Middleware<Name, State> = Object.freeze({
    name,
    key,
    slot,
    replaces,
    ...(tools.length > 0 && { tools }),
    ...(origin !== undefined && { origin }),
    ...links(spec, contextOf),
    ...(slot === undefined ? {} : { read: (run: MiddlewareRun) => contextOf(run).state }),
  })
  return () => middleware
}

/** The hooks with the state's type closed over; an absent one stays absent. */
function links<State>(
  spec: MiddlewareSpec<string, State>,
  contextOf: ContextOf<State>,
): Pick<Middleware, 'turn' | 'prompt' | 'generate' | 'stream' | 'permit' | 'tool'> {
  const { turn, prompt, generate, stream, permit, tool } = spec
  const { name } = spec
  return {
    ...(turn && {
      turn: (asked, next, run) => turn(asked, once(name, 'turn', next), contextOf(run)),
    }),
    ...(prompt && {
      prompt: (asked, next, run) => prompt(asked, once(name, 'prompt', next), contextOf(run)),
    }),
    ...(generate && { generate: (asked, next, run) => generate(asked, next, contextOf(run)) }),
    ...(stream && { stream: (run) => stream(contextOf(run)) }),
    ...(permit && {
      permit: (asked, next, run) => permit(asked, once(name, 'permit', next), contextOf(run)),
    }),
    ...(tool && { tool: (asked, next, run) => tool(asked, next, contextOf(run)) }),
  }
}

/** In these hooks a second call would do things twice. */
function once<Request, Answer>(
  middleware: string,
  hook: string,
  next: (request: Request) => Answer,
): (request: Request) => Answer {
  let called = false
  return (request) => {
    if (called) {
      throw new EchelonError(
        'INVALID_DEFINITION',
        `${middleware} called next of ${hook} a second time; only next of generate and tool may be called again`,
      )
    }
    called = true
    return next(request)
  }
}

const badName = (word: string): EchelonError =>
  new EchelonError(
    'INVALID_DEFINITION',
    `a middleware cannot be called ${JSON.stringify(word)}; begin with a letter and use letters, digits, _ and -, at most 64`,
  )
