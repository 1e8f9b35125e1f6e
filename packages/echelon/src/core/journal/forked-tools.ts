import type { ModelWrapper } from '../agent/agent-services.ts'
import { canonicalJson } from '../value/canonical-json.ts'
import { EchelonError } from '../value/error.ts'
import { isJson, type Json } from '../value/json.ts'
import type { MemoryStore } from '../agent/ports.ts'
import { type Tool, ToolError } from '../tool/tool.ts'
import { type ChildWorld, delegatingTool } from '../tool/delegating-tool.ts'
import { type ForkedFrom, ForkedMemory } from './forked-memory.ts'
import { type CallOnRecord, endAs, runChecked, uncheckedBy } from '../tool/tool-end.ts'

/** The records of the original run that the fork may use. */
export interface ForkRecord {
  /** Calls of all tools. */
  readonly names: readonly string[]
  /** Calls that may answer the same read: finished ones that wrote no files. */
  readonly done: readonly CallOnRecord[]
  /** Calls made at or after the fork; the fork shares those before it. */
  readonly later: readonly CallOnRecord[]
  readonly memory: Omit<ForkedFrom, 'memories'>
}

/** Names of tools and memories that may act and be written again. */
export interface ForkRules {
  readonly act: readonly string[]
  readonly memories: readonly string[]
}

/** The records that a fork may use, and which of its tools may act again. */
export class ForkTools implements ChildWorld {
  /** Models are live. */
  readonly within: readonly ModelWrapper[] = []
  readonly #act: ReadonlySet<string>
  readonly #record: ForkRecord
  readonly #given = new Set<CallOnRecord>()
  readonly #wrapped = new WeakSet<object>()
  readonly #memory: ForkedFrom
  /** Names of the tools that were created for the fork so far. */
  readonly #made = new Set<string>()
  #delegates = false

  /** @param record may still grow until the first call */
  constructor(record: ForkRecord, { act, memories }: ForkRules) {
    this.#act = new Set(act)
    this.#record = record
    this.#memory = { ...record.memory, memories: new Set(memories) }
  }

  /** Reads from the record or live; acts from the record, live if the tool is named, or not at all. */
  tool(tool: Tool): Tool {
    if (this.#wrapped.has(tool)) return tool
    this.#made.add(tool.name)
    if (tool.delegates) this.#delegates = true
    const wrapped = tool.delegates ? delegatingTool(tool, this) : this.#forked(tool)
    this.#wrapped.add(wrapped)
    return wrapped
  }

  /**
   * Call it when the fork is resumed, after its agents were created. The tools of a sub-agent may be
   * created later, so with one any name is accepted.
   * @throws EchelonError INVALID_INPUT for a name in `act` that no tool has
   */
  checkAct(): void {
    const known = new Set([...this.#record.names, ...this.#made])
    const unknown = [...this.#act].find((name) => !known.has(name))
    if (unknown === undefined || this.#delegates) return
    const names = [...known].sort().join(', ')
    throw new EchelonError(
      'INVALID_INPUT',
      `act names ${unknown}, which is neither a tool of the agent nor on record; ${names === '' ? 'there are none' : `there are ${names}`}`,
    )
  }

  /** Calls that the fork made before it was resumed: their recorded answers are used up. */
  made(calls: readonly CallOnRecord[]): void {
    for (const { tool, input } of calls) this.#take(tool, input)
  }

  models<Models>(own: Models): Models {
    return own
  }

  memory(inner: MemoryStore): MemoryStore {
    if (this.#wrapped.has(inner)) return inner
    const forked = new ForkedMemory(inner, this.#memory)
    this.#wrapped.add(forked)
    return forked
  }

  /** Events about live model calls. */
  shared<States>(own: States): States {
    return own
  }

  #forked(tool: Tool): Tool {
    return {
      ...tool,
      ...uncheckedBy(tool),
      run: (given, context) => {
        const input = isJson(given) ? given : null
        const line = tool.does === 'reads' ? this.#read(tool, input) : this.#take(tool.name, input)
        if (line !== undefined) return ended(line, tool)
        if (tool.does === 'reads' || this.#act.has(tool.name)) {
          return runChecked(tool, input, context)
        }
        throw new ToolError(
          'TOOL_ERROR',
          `${tool.name} is denied in a fork: it acts, and no such call is on record from the fork on; name it in act (--act) to allow it`,
        )
      },
    }
  }

  /** Repeats a call that wrote files: the recorded files are not in the fork's folder. */
  #read(tool: Tool, input: Json): CallOnRecord | undefined {
    return this.#record.done.find((line) => isSame(line, tool.name, input))
  }

  /** Each recorded call answers one call. */
  #take(tool: string, input: Json): CallOnRecord | undefined {
    const { later } = this.#record
    const line = later.find((one) => !this.#given.has(one) && isSame(one, tool, input))
    if (line !== undefined) this.#given.add(line)
    return line
  }
}

/** The recorded outcome; `unknown` for a call in flight when the recording ended. */
function ended({ end }: CallOnRecord, { name }: Tool): Promise<Json> {
  if (end === undefined) {
    throw new ToolError(
      'TOOL_ERROR',
      `${name} was running when the recording ended, and may have acted`,
    )
  }
  return new Promise((resolve, reject) => endAs(end, resolve, reject))
}

const isSame = (line: CallOnRecord, tool: string, input: Json): boolean =>
  line.tool === tool && canonicalJson(line.input) === canonicalJson(input)
