import type { ModelWrapper } from '../core/agent-services.ts'
import { canonicalJson } from '../core/canonical-json.ts'
import { EchelonError } from '../core/error.ts'
import { isJson, type Json } from '../core/json.ts'
import type { MemoryStore } from '../core/ports.ts'
import { type Tool, ToolError } from '../core/tool.ts'
import { type ChildWorld, delegatingTool } from './delegating-tool.ts'
import { type ForkedFrom, ForkedMemory } from './forked-memory.ts'
import { isStoreCall } from './recorded-stores.ts'
import { runChecked, uncheckedBy } from './recorded-tool.ts'
import { endAs } from './replayed-tool.ts'
import type { RecordedToolCall, RunRecord } from './run-record.ts'

/** Where a run is forked, and what may act and be written anew. */
export interface ForkedAt {
  readonly run: string
  readonly at: number
  readonly act: readonly string[]
  readonly memories: readonly string[]
}

/** What of a recording a fork may still use, and which tools may act anew. */
export class ForkTools implements ChildWorld {
  /** Models are live. */
  readonly within: readonly ModelWrapper[] = []
  readonly #act: ReadonlySet<string>
  /** Calls that were made at or after the fork; those before it have happened in the fork too. */
  readonly #later: readonly RecordedToolCall[]
  readonly #record: RunRecord
  readonly #given = new Set<RecordedToolCall>()
  readonly #wrapped = new WeakSet<object>()
  readonly #memory: ForkedFrom
  /** Names of tools, on record and of those that were made for the fork so far. */
  readonly #known: Set<string>
  #delegates = false

  constructor(record: RunRecord, { run, at, act, memories }: ForkedAt) {
    this.#act = new Set(act)
    this.#record = record
    const names = record.toolCalls.map((call) => call.tool)
    this.#known = new Set(names.filter((name) => !isStoreCall(name)))
    this.#later = record.toolCalls.filter(({ key }) => stepOf(key, run) >= at)
    const place = record.placeOf(run, at)
    this.#memory = {
      before: record.toolCalls.filter((call) => call.place <= place),
      later: record.toolCalls.filter((call) => call.place > place),
      memories: new Set(memories),
    }
  }

  /** Reads from the record or live; acts from the record, or live where it is named, or not at all. */
  tool(tool: Tool): Tool {
    if (this.#wrapped.has(tool)) return tool
    this.#known.add(tool.name)
    if (tool.delegates) this.#delegates = true
    const wrapped = tool.delegates ? delegatingTool(tool, this) : this.#forked(tool)
    this.#wrapped.add(wrapped)
    return wrapped
  }

  /**
   * To be asked when the fork is resumed: its agents are made then. The tools of a sub-agent may be
   * met later still, so that beside one any name may be right.
   * @throws EchelonError INVALID_INPUT for a name in `act` that no tool has
   */
  checkAct(): void {
    const unknown = [...this.#act].find((name) => !this.#known.has(name))
    if (unknown === undefined || this.#delegates) return
    const names = [...this.#known].sort().join(', ')
    throw new EchelonError(
      'INVALID_INPUT',
      `act names ${unknown}, which is no tool of the agent and on no record; ${names === '' ? 'there are none' : `there are ${names}`}`,
    )
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

  /** They tell how live models do. */
  shared<States>(own: States): States {
    return own
  }

  #forked(tool: Tool): Tool {
    return {
      ...tool,
      ...uncheckedBy(tool),
      run: (given, context) => {
        const input = isJson(given) ? given : null
        const line = tool.does === 'reads' ? this.#read(tool, input) : this.#acted(tool, input)
        if (line !== undefined) return ended(line, tool)
        if (tool.does === 'reads' || this.#act.has(tool.name)) {
          return runChecked(tool, input, context)
        }
        throw new ToolError(
          'TOOL_ERROR',
          `${tool.name} is denied in a fork: it acts, and no such call is on record from the fork on; name it in act (--act) to let it`,
        )
      },
    }
  }

  /** A call that wrote files is made anew: those on record are not in the fork's folder. */
  #read(tool: Tool, input: Json): RecordedToolCall | undefined {
    const wrote = ({ key }: RecordedToolCall): boolean =>
      this.#record.actsOf(key).some(({ does }) => does.act === 'write')
    return this.#record.toolCalls.find(
      (line) => isSame(line, tool, input) && line.end?.type === 'ok' && !wrote(line),
    )
  }

  /** Each call on record stands for one. */
  #acted(tool: Tool, input: Json): RecordedToolCall | undefined {
    const line = this.#later.find((one) => !this.#given.has(one) && isSame(one, tool, input))
    if (line !== undefined) this.#given.add(line)
    return line
  }
}

/** As it was; of one that was under way when the recording ended nobody knows what came of it. */
function ended({ end }: RecordedToolCall, { name }: Tool): Promise<Json> {
  if (end === undefined) {
    throw new ToolError(
      'TOOL_ERROR',
      `${name} was under way when the recording ended, and may have acted`,
    )
  }
  return new Promise((resolve, reject) => endAs(end, resolve, reject))
}

const isSame = (line: RecordedToolCall, tool: Tool, input: Json): boolean =>
  line.tool === tool.name && canonicalJson(line.input) === canonicalJson(input)

/** The step of the run itself in which a call was made; that of another run counts as later. */
function stepOf(key: string, run: string): number {
  if (!key.startsWith(`${run}:`)) return -1
  return Number.parseInt(key.slice(run.length + 1), 10)
}
