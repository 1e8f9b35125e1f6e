import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { EchelonError } from 'echelon/runtime'
import type { AnyDefinition, Middleware, StateHolder } from 'echelon/runtime'

/**
 * Loads the agent that a user's module exports by default, or as `definition` and `middlewares`. A list of
 * middleware is accepted too.
 * @throws EchelonError INVALID_INPUT if the module cannot be loaded or exports no agent
 */
export async function loadHolder(module: string): Promise<StateHolder> {
  const path = resolve(module)
  if (!existsSync(path)) {
    throw new EchelonError(
      'INVALID_INPUT',
      `there is no module ${module}; give the path of its file`,
    )
  }
  const loaded = await load(module, path)
  const holder = holderIn(await loaded['default']) ?? holderIn(loaded)
  if (holder !== undefined) return holder
  throw new EchelonError(
    'INVALID_INPUT',
    `${module} exports no agent; its default export must be an agent, { definition, middlewares } or a list of middleware`,
  )
}

async function load(module: string, path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const loaded: Readonly<Record<string, unknown>> = await import(pathToFileURL(path).href)
    return loaded
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
