import type { Entry } from '../core/journal.ts'
import type { Json } from '../core/json.ts'
import type { ChildLine, Moment, RunLine, ToolActLine, ToolEnd, ToolLine } from './line.ts'

/** A tool call on record; one without an end was under way when the recording ended. */
export interface RecordedToolCall extends Omit<ToolLine, 'kind'> {
  readonly end: ToolEnd | undefined
}

/** What stands in a recording of whole runs, model calls aside: those are on a tape of their own. */
export class RunRecord {
  readonly path: string
  /** What its maker said of it. */
  readonly about: Json
  /** Whether its end is missing: the program was interrupted. */
  readonly breaksOff: boolean
  /** What could not be recorded as it was, in a sentence. */
  readonly problem: string | null
  readonly moments: readonly Moment[]
  readonly ids: readonly string[]
  readonly notes: readonly Json[]
  /** The entries of each run, by its id, in the order in which they began. */
  readonly entries: ReadonlyMap<string, readonly Entry[]>
  readonly toolCalls: readonly RecordedToolCall[]
  readonly #tools: ReadonlyMap<string, RecordedToolCall>
  readonly #acts: ReadonlyMap<string, readonly ToolActLine[]>
  readonly #children: ReadonlyMap<string, ChildLine>

  constructor(path: string, about: Json, lines: readonly RunLine[]) {
    this.path = path
    this.about = about
    const end = lines.findLast((line) => line.kind === 'end')
    this.breaksOff = end === undefined
    this.problem = end?.problem ?? null
    this.moments = lines.flatMap(momentsOf)
    this.ids = lines.flatMap((line) => (line.kind === 'id' ? [line.id] : []))
    this.notes = lines.flatMap((line) => (line.kind === 'note' ? [line.note] : []))
    this.toolCalls = toolCallsOf(lines)
    this.#tools = new Map(this.toolCalls.map((call) => [call.key, call]))
    this.#acts = Map.groupBy(
      lines.filter((line) => line.kind === 'tool-act'),
      ({ call }) => call,
    )
    const children = lines.filter((line) => line.kind === 'child')
    this.#children = new Map(children.map((line) => [line.key, line]))
    this.entries = entriesOf(lines)
  }

  toolCall(key: string): RecordedToolCall | undefined {
    return this.#tools.get(key)
  }

  /** What a tool call did before it was over. */
  actsOf(key: string): readonly ToolActLine[] {
    return this.#acts.get(key) ?? []
  }

  child(key: string): ChildLine | undefined {
    return this.#children.get(key)
  }
}

function momentsOf(line: RunLine): readonly Moment[] {
  switch (line.kind) {
    case 'event':
    case 'time':
    case 'act':
      return [line]
    case 'tool-end':
    case 'tool-act':
      return [{ kind: 'event', key: line.key, at: line.at }]
    case 'child':
    case 'end':
    case 'entries':
    case 'id':
    case 'note':
    case 'run-recording':
    case 'tool':
      return []
  }
}

function toolCallsOf(lines: readonly RunLine[]): readonly RecordedToolCall[] {
  const ends = new Map(
    lines.flatMap((line) => (line.kind === 'tool-end' ? [[line.key, line.end] as const] : [])),
  )
  return lines.flatMap((line) => {
    if (line.kind !== 'tool') return []
    const { key, tool, input } = line
    return [{ key, tool, input, end: ends.get(key) }]
  })
}

function entriesOf(lines: readonly RunLine[]): ReadonlyMap<string, readonly Entry[]> {
  const runs = new Map<string, Entry[]>()
  for (const line of lines) {
    if (line.kind !== 'entries') continue
    const entries = runs.get(line.run)
    if (entries === undefined) runs.set(line.run, [...line.entries])
    else entries.push(...line.entries)
  }
  return runs
}
