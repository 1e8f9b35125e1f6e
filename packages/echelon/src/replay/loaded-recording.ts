import type { Entry } from '../core/journal/journal.ts'
import type { Json } from '../core/value/json.ts'
import type { ChildLine, Moment, RunLine, StateLine, ToolActLine, ToolLine } from './line.ts'
import type { ToolEnd } from '../core/tool/tool-end.ts'

/** A recorded tool call; one without an end was in progress when the recording ended. */
export interface RecordedToolCall extends Omit<ToolLine, 'kind'> {
  readonly end: ToolEnd | undefined
  /** The position of its line in the recording. */
  readonly place: number
}

/** A recording of whole runs, without model calls, which are on a separate tape. */
export class LoadedRecording {
  readonly path: string
  /** A description by the recording program. */
  readonly about: Json
  /** Whether the end is missing because the program was interrupted. */
  readonly breaksOff: boolean
  /** A problem of the recording as a sentence, or null. */
  readonly problem: string | null
  readonly moments: readonly Moment[]
  readonly ids: readonly string[]
  readonly notes: readonly Json[]
  /** The entries of each run by its id, in the order the runs began. */
  readonly entries: ReadonlyMap<string, readonly Entry[]>
  readonly toolCalls: readonly RecordedToolCall[]
  readonly #tools: ReadonlyMap<string, RecordedToolCall>
  readonly #acts: ReadonlyMap<string, readonly ToolActLine[]>
  readonly #children: ReadonlyMap<string, ChildLine>
  readonly #states: ReadonlyMap<string, StateLine>
  readonly #lines: readonly RunLine[]

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
    const states = lines.filter((line) => line.kind === 'state')
    this.#states = new Map(states.map((line) => [stateName(line.store, line.key, line.read), line]))
    this.#lines = lines
    this.entries = entriesOf(lines)
  }

  toolCall(key: string): RecordedToolCall | undefined {
    return this.#tools.get(key)
  }

  /** The acts of a tool call before it ended. */
  actsOf(key: string): readonly ToolActLine[] {
    return this.#acts.get(key) ?? []
  }

  /** The result of a read of shared state; undefined if it matched what the run knew. */
  stateRead(store: string, key: string, read: number): StateLine | undefined {
    return this.#states.get(stateName(store, key, read))
  }

  /** The line at which a run reached step `at`; later lines belong to that step. */
  placeOf(run: string, at: number): number {
    return this.#lines.findIndex(
      (line) =>
        line.kind === 'entries' &&
        line.run === run &&
        line.entries.some((one) => isBefore(one, at)),
    )
  }

  child(key: string): ChildLine | undefined {
    return this.#children.get(key)
  }
}

const stateName = (store: string, key: string, read: number): string => `${store} ${key} ${read}`

const isBefore = (entry: Entry, at: number): boolean =>
  at === 0
    ? entry.type === 'started' && entry.path === ''
    : entry.type === 'closed' && entry.path === '' && entry.seq === at - 1

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
    case 'state':
    case 'tool':
      return []
  }
}

function toolCallsOf(lines: readonly RunLine[]): readonly RecordedToolCall[] {
  const ends = new Map(
    lines.flatMap((line) => (line.kind === 'tool-end' ? [[line.key, line.end] as const] : [])),
  )
  return lines.flatMap((line, place) => {
    if (line.kind !== 'tool') return []
    const { key, tool, input } = line
    return [{ key, tool, input, end: ends.get(key), place }]
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
