import { textRepr } from '../python/text.ts'
import { type Dict, PyError, type PyValue } from '../python/value.ts'
import type { TauData } from './tau-data.ts'

/** A tool of tau-bench, as ours. */
export interface TauTool {
  readonly name: string
  readonly description: string
  /** All required, by name. */
  readonly parameters: Readonly<Record<string, 'string' | 'number' | 'array'>>
  /** Whether it changes records. */
  readonly acts?: boolean
  /** Whether it ends the conversation. */
  readonly ends?: boolean
  /**
   * Returns the text for the model.
   * @throws PyError where the original raises; changes made before it stay
   */
  run(data: TauData, args: Args): string
}

/** The arguments of a call, all there. */
export class Args {
  readonly #given: Dict

  constructor(given: Dict) {
    this.#given = given
  }

  get(name: string): PyValue {
    return this.#given.get(name) ?? null
  }
}

/** Calls a tool; what goes wrong in it is an answer as well. */
function invokeTool(tool: TauTool, data: TauData, args: Dict): string {
  const wrong = wrongArguments(tool, args)
  if (wrong !== undefined) return `Error: ${wrong}`
  try {
    return tool.run(data, new Args(args))
  } catch (error) {
    if (error instanceof PyError) return `Error: ${error.message}`
    throw error
  }
}

/** The tools of a domain by name; another name is answered as tau-bench answers it. */
export function invokeByName(tools: readonly TauTool[], data: TauData, call: NamedCall): string {
  const tool = tools.find(({ name }) => name === call.name)
  return tool === undefined ? `Unknown action ${call.name}` : invokeTool(tool, data, call.args)
}

export interface NamedCall {
  readonly name: string
  readonly args: Dict
}

function wrongArguments({ name, parameters }: TauTool, args: Dict): string | undefined {
  const invoke = `${name.split('_').map(capitalized).join('')}.invoke()`
  const extra = [...args.keys()].find((key) => !Object.hasOwn(parameters, key))
  if (extra !== undefined) return `${invoke} got an unexpected keyword argument ${textRepr(extra)}`
  const missing = Object.keys(parameters).filter((key) => !args.has(key))
  if (missing.length === 0) return undefined
  const noun = missing.length === 1 ? 'argument' : 'arguments'
  return `${invoke} missing ${missing.length} required positional ${noun}: ${enumerated(missing.map(textRepr))}`
}

const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

function enumerated(names: readonly string[]): string {
  if (names.length <= 2) return names.join(' and ')
  return `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`
}
