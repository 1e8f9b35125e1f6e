import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Agent } from 'echelon'
import type { Config } from 'echelon/config'
import { EchelonError } from 'echelon/runtime'
import { serveChat, type ServedAgent, serveDefinition, type TextDefinition } from '@echelon/server'
import type { OpenedStore } from '../store/keep-store.ts'

/** The arguments of a file's default export, if it is a function. */
export interface OwnAgentParts {
  readonly store: OpenedStore
  readonly config: Config
}

const EXTENSIONS = new Set(['.ts', '.mts', '.js', '.mjs'])

/**
 * Loads agents of the user: the files of a folder, if it exists, and files named by path.
 * @throws EchelonError INVALID_INPUT that names the file and says what is wrong
 */
export async function ownAgents(
  folder: string,
  files: readonly string[],
  parts: OwnAgentParts,
): Promise<readonly ServedAgent[]> {
  const agents: ServedAgent[] = []
  for (const path of await agentFiles(folder, files)) agents.push(await loaded(path, parts))
  return agents
}

/** The files of a folder, if it exists, and those that are named. */
export async function agentFiles(
  folder: string,
  files: readonly string[],
): Promise<readonly string[]> {
  const found = existsSync(folder) ? (await readdir(folder)).toSorted() : []
  const inFolder = found.filter(
    (name) => EXTENSIONS.has(extname(name)) && !/\.(?:test|d)\.\w+$/.test(name),
  )
  return [...inFolder.map((name) => join(folder, name)), ...files]
}

async function loaded(path: string, parts: OwnAgentParts): Promise<ServedAgent> {
  if (!existsSync(path)) throw unusable(`there is no file ${path}; name a file with an agent`)
  let given: unknown
  try {
    const module: unknown = await import(pathToFileURL(resolve(path)).href)
    given = isObject(module) ? module['default'] : undefined
    if (typeof given === 'function') given = await given(parts)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new EchelonError('INVALID_INPUT', `the agent ${path} cannot be loaded: ${why}`, { cause })
  }
  if (isServed(given)) return given
  if (isAgent(given)) return serveChat(given, { description: `The agent ${given.name}.` })
  if (isDefinition(given)) return serveDefinition(given, { store: parts.store })
  throw unusable(
    `${path} exports no agent; its default export must be an agent of createAgent, a served agent, a definition, or a function of ({ store, config }) that returns one`,
  )
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const has = (value: unknown, ...methods: readonly string[]): boolean =>
  isObject(value) &&
  typeof value['name'] === 'string' &&
  methods.every((name) => typeof value[name] === 'function')

// Told by what they have: a file of the user may load the packages a second time.
export const isServed = (value: unknown): value is ServedAgent =>
  has(value, 'start') && isObject(value) && 'accepts' in value && 'definition' in value

const isAgent = (value: unknown): value is Agent => has(value, 'run', 'openSession', 'resume')

const isDefinition = (value: unknown): value is TextDefinition<unknown, unknown> =>
  has(value, 'start', 'next', 'observe', 'load')

const unusable = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
