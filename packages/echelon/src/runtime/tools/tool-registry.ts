import { EchelonError } from '../../core/value/error.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { OfferedTools } from './offered-tools.ts'

export interface ToolRules {
  /** If given, only these tools exist. */
  readonly allow?: readonly string[]
  /** These tools do not exist, whatever `allow` says. */
  readonly deny?: readonly string[]
}

/** The tools of a run by name. A tool that the rules leave out counts as unknown. */
export class ToolRegistry {
  readonly #tools: ReadonlyMap<string, Tool>
  #offered: OfferedTools | undefined
  #offeredNames: readonly string[] | undefined

  constructor(tools: readonly Tool[], { allow, deny = [] }: ToolRules = {}) {
    const permitted = new Map<string, Tool>()
    checkToolNames(tools)
    for (const tool of tools) {
      if (allow?.includes(tool.name) === false || deny.includes(tool.name)) continue
      permitted.set(tool.name, tool)
    }
    this.#tools = permitted
  }

  /** The tools of these names, printed once as long as the same list is requested. */
  offer(names: readonly string[] | undefined): OfferedTools {
    if (this.#offered === undefined || this.#offeredNames !== names) {
      this.#offered = OfferedTools.of((names ?? []).flatMap((name) => this.find(name) ?? []))
      this.#offeredNames = names
    }
    return this.#offered
  }

  find(name: string): Tool | undefined {
    return this.#tools.get(name)
  }

  /** In the order in which they were given. */
  list(): readonly Tool[] {
    return [...this.#tools.values()]
  }
}

/** @throws EchelonError INVALID_DEFINITION for two tools of one name */
export function checkToolNames(tools: readonly Tool[]): void {
  const names = new Set<string>()
  for (const { name } of tools) {
    if (names.has(name)) {
      throw new EchelonError('INVALID_DEFINITION', `two tools are called ${name}; rename one`)
    }
    names.add(name)
  }
}
