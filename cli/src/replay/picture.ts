import {
  type Entry,
  isJsonObject,
  type Json,
  type Observation,
  type RunEvent,
} from 'echelon/runtime'

type Closed = Extract<Entry, { type: 'closed' }>
type Began = Extract<RunEvent, { type: 'step-start' }>

/** What a person was asked in a step, and what they said; nothing where nobody did. */
export interface PicturedRequest {
  readonly about: Json
  readonly reply?: Json
}

/** One step of a recorded run. */
export interface PicturedStep {
  /** From 1 on, across the runs of the file; nothing for one of a sub-agent. */
  readonly n: number | undefined
  readonly run: string
  readonly path: string
  readonly seq: number
  readonly seen: Observation
  /** Who asked for what of whom; nothing where the run was not run again so far. */
  readonly began: Began | undefined
  /** The model or the tools, as far as is known. */
  readonly targets: readonly string[]
  readonly asked: readonly PicturedRequest[]
  readonly seconds: number
  /** What it took, by counter. */
  readonly spent: Readonly<Record<string, number>>
}

/** One run of a recording, with all of its steps. */
export interface PicturedRun {
  readonly id: string
  readonly agent: string
  /** What it was given, as a person says it. */
  readonly input: string
  readonly steps: readonly PicturedStep[]
  /** How it ended; nothing for one that broke off. */
  readonly end: string | undefined
}

/** What was heard of steps while they were run again, by `beginningOf`. */
export type Beginnings = ReadonlyMap<string, Began>

export const beginningOf = (run: string, { path, seq }: { path: string; seq: number }): string =>
  `${run} ${path} ${seq}`

/** Runs, step by step, as their journals have them. */
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

/** The tools of a step that was not run again, as the model asked for them just before. */
function calledIn(entries: readonly Entry[], step: Closed): readonly string[] {
  const { seen, path } = step
  if (seen.type !== 'tools-called') return []
  const before = entries
    .slice(0, entries.indexOf(step))
    .findLast((entry) => entry.type === 'closed' && entry.path === path)
  const answer = before?.type === 'closed' && before.seen.type === 'generated' ? before.seen : null
  const calls = answer?.calls ?? []
  // Another number of them is something else that the definition asked for.
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

/** Tells what each step took, of counters and times that go on. */
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

/** A task or a message, in words. */
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
