import {
  type Entry,
  isJsonObject,
  type Json,
  type Observation,
  type RunEvent,
} from 'echelon/runtime'

type Closed = Extract<Entry, { type: 'closed' }>
type Began = Extract<RunEvent, { type: 'step-start' }>

/** A question to a person in a step, with the reply, if there was one. */
export interface PicturedRequest {
  readonly about: Json
  readonly reply?: Json
}

/** One step of a recorded run. */
export interface PicturedStep {
  /** Number across all runs of the file, from 1; undefined for steps of sub-agents. */
  readonly n: number | undefined
  readonly run: string
  readonly path: string
  readonly seq: number
  readonly seen: Observation
  /** Start event of the step; undefined if the replay did not get this far. */
  readonly began: Began | undefined
  /** The model or the tools, as far as known. */
  readonly targets: readonly string[]
  readonly asked: readonly PicturedRequest[]
  readonly seconds: number
  /** Amounts spent, by counter. */
  readonly spent: Readonly<Record<string, number>>
}

/** One run of a recording, with its steps. */
export interface PicturedRun {
  readonly id: string
  readonly agent: string
  /** Its input as text. */
  readonly input: string
  readonly steps: readonly PicturedStep[]
  /** Reason of the end; undefined if the recording is cut off. */
  readonly end: string | undefined
}

/** Start events of replayed steps, by `beginningOf`. */
export type Beginnings = ReadonlyMap<string, Began>

export const beginningOf = (run: string, { path, seq }: { path: string; seq: number }): string =>
  `${run} ${path} ${seq}`

/** Lists runs step by step from their journals. */
export function pictureOf(
  record: { readonly entries: ReadonlyMap<string, readonly Entry[]> },
  beginnings: Beginnings,
): readonly PicturedRun[] {
  let n = 0
  return [...record.entries].map(([id, entries]) => {
    const meter = new Meter()
    const steps = entries.flatMap((entry): readonly PicturedStep[] => {
      const took = meter.read(entry)
      if (entry.type !== 'closed' || took === undefined) return []
      const { path, seq, seen } = entry
      const began = beginnings.get(beginningOf(id, entry))
      const asked = requestsIn(entries, entry)
      const place = { n: path === '' ? ++n : undefined, run: id, path, seq }
      const targets = began?.targets ?? calledIn(entries, entry)
      return [{ ...place, seen, began, targets, asked, ...took }]
    })
    const started = entries.find((entry) => entry.type === 'started')
    const ended = entries.findLast((entry) => entry.type === 'ended' && entry.path === '')
    return {
      id,
      agent: started?.agent ?? '',
      input: inputOf(started?.input ?? null),
      steps,
      end: ended?.type === 'ended' ? ended.reason : undefined,
    }
  })
}

/** Tools of a step that was not replayed, taken from the model answer before it. */
function calledIn(entries: readonly Entry[], step: Closed): readonly string[] {
  const { seen, path } = step
  if (seen.type !== 'tools-called') return []
  const before = entries
    .slice(0, entries.indexOf(step))
    .findLast((entry) => entry.type === 'closed' && entry.path === path)
  const answer = before?.type === 'closed' && before.seen.type === 'generated' ? before.seen : null
  const calls = answer?.calls ?? []
  // If the counts differ, the definition asked for other calls.
  return calls.length === seen.outcomes.length ? calls.map(({ tool }) => tool) : []
}

function requestsIn(entries: readonly Entry[], { path, seq }: Closed): readonly PicturedRequest[] {
  return entries.flatMap((entry) => {
    if (entry.type !== 'requested' || entry.path !== path || entry.seq !== seq) return []
    const { about, request } = entry
    const replied = entries.find((one) => one.type === 'replied' && one.request === request)
    return [replied?.type === 'replied' ? { about, reply: replied.reply } : { about }]
  })
}

/** Computes time and amounts per step from running totals. */
class Meter {
  readonly #at = new Map<string, number>()
  #spent: Readonly<Record<string, number>> = {}

  read(entry: Entry): Pick<PicturedStep, 'seconds' | 'spent'> | undefined {
    if (entry.type === 'started') this.#at.set(entry.path, entry.at)
    return entry.type === 'closed' ? this.#step(entry) : undefined
  }

  #step({ path, at, spent }: Closed): Pick<PicturedStep, 'seconds' | 'spent'> {
    const seconds = (at - (this.#at.get(path) ?? at)) / 1000
    this.#at.set(path, at)
    const before = this.#spent
    this.#spent = { ...before, ...spent }
    const took = Object.entries(spent).map(([counter, now]) => [
      counter,
      now - (before[counter] ?? 0),
    ])
    return { seconds, spent: Object.fromEntries(took) }
  }
}

/** The text of a task or message. */
export function inputOf(input: Json): string {
  if (typeof input === 'string') return input
  if (!isJsonObject(input)) return ''
  const { input: task, messages, interaction } = input
  if (typeof task === 'string') return task
  return textsIn(messages ?? interaction ?? null).join(' ')
}

function textsIn(value: Json): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  if (isJsonObject(value) && typeof value['text'] === 'string') return [value['text']]
  return Object.values(value).flatMap(textsIn)
}
