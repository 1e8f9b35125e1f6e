import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  EchelonError,
  type AnyDefinition,
  type Middleware,
  type Started,
  type StateHolder,
} from 'echelon/runtime'
import type { ServedAgent } from '@echelon/server'
import { isServed, type OwnAgentParts } from '../serve/own-agents.ts'

/** An agent to check runs against. That of a served agent may need to look at how a run was started. */
export type FoundAgent = { readonly holder: StateHolder } | { readonly served: ServedAgent }

/**
 * Loads the agent that a user's module exports by default, or as `definition` and `middlewares`. A list of
 * middleware is accepted too, and whatever a server or worker takes: a served agent, or a function of
 * `({ store, config })`.
 * @throws EchelonError INVALID_INPUT if the module cannot be loaded or exports no agent
 */
export async function loadAgent(module: string, parts: OwnAgentParts): Promise<FoundAgent> {
  const path = resolve(module)
  if (!existsSync(path)) {
    throw new EchelonError(
      'INVALID_INPUT',
      `there is no module ${module}; give the path of its file`,
    )
  }
  const { given, loaded } = await load(module, path, parts)
  const holder = holderIn(given) ?? holderIn(loaded)
  if (holder !== undefined) return { holder }
  if (isServed(given)) return { served: given }
  throw new EchelonError(
    'INVALID_INPUT',
    `${module} exports no agent; its default export must be an agent, { definition, middlewares }, a list of middleware, a served agent, or a function of ({ store, config }) that returns one`,
  )
}

/** For journals of any program: an agent that must look further than at how a run started does not know it. */
export function holderOf(found: FoundAgent): StateHolder {
  if ('holder' in found) return found.holder
  const { served } = found
  const definition = (started: Started): AnyDefinition | undefined => {
    if (started.agent !== served.definition) return undefined
    const known = served.definitionOf?.(started)
    return known instanceof Promise ? undefined : known
  }
  return { definition, middlewares: [] }
}

interface Loaded {
  readonly loaded: Readonly<Record<string, unknown>>
  /** Its default export, or what that returns. */
  readonly given: unknown
}

async function load(module: string, path: string, parts: OwnAgentParts): Promise<Loaded> {
  try {
    const loaded: Readonly<Record<string, unknown>> = await import(pathToFileURL(path).href)
    const exported = await loaded['default']
    const given: unknown = typeof exported === 'function' ? await exported(parts) : exported
    return { loaded, given }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new EchelonError('INVALID_INPUT', `${module} cannot be loaded (${why})`, { cause })
  }
}

/** Checked by shape, since the module may use another copy of Echelon. */
function holderIn(found: unknown): StateHolder | undefined {
  if (Array.isArray(found)) return found.every(isMiddleware) ? { middlewares: found } : undefined
  if (typeof found !== 'object' || found === null) return undefined
  if (isDefinition(found)) return { definition: found, middlewares: [] }
  const middlewares = 'middlewares' in found ? found.middlewares : undefined
  const definition = 'definition' in found ? found.definition : undefined
  const known: readonly unknown[] = Array.isArray(middlewares) ? middlewares : []
  if (!known.every(isMiddleware)) return undefined
  if (isDefinition(definition) || isChoice(definition)) return { definition, middlewares: known }
  return Array.isArray(middlewares) ? { middlewares: known } : undefined
}

const isDefinition = (value: unknown): value is AnyDefinition =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'version' in value &&
  typeof value.version === 'number' &&
  ['start', 'next', 'observe'].every((part) => has(value, part))

const has = (value: object, name: string): boolean => typeof Reflect.get(value, name) === 'function'

const isChoice = (
  value: unknown,
): value is Extract<StateHolder['definition'], (...args: never[]) => unknown> =>
  typeof value === 'function'

const isMiddleware = (value: unknown): value is Middleware =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  typeof value.key === 'string' &&
  'slot' in value &&
  (value.slot === undefined || isSlot(value.slot))

const isSlot = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'version' in value && has(value, 'refusal')
