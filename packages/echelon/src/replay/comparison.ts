import { describeDifferences, differences } from '../core/value/parting.ts'
import type { Entry } from '../core/journal/journal.ts'
import { isJson, type Json } from '../core/value/json.ts'
import type { LoadedRecording } from './loaded-recording.ts'

/** The result of comparing a replay with its recording. */
export type Likeness =
  /** Every entry of every journal is identical. */
  | { readonly type: 'exact' }
  /** Identical up to the end of an interrupted recording. */
  | { readonly type: 'breaks-off' }
  | {
      readonly type: 'parted'
      readonly run: string
      /** The number of the first differing entry, from 0. */
      readonly entry: number
      /** The step of that entry; undefined if it belongs to none. */
      readonly seq: number | undefined
      /** A readable description of the difference. */
      readonly message: string
    }

/** Compares the entries of a replay with the recorded ones. */
export class Comparison {
  readonly #record: LoadedRecording
  readonly #seen = new Map<string, number>()
  #parted: Likeness | undefined

  constructor(record: LoadedRecording) {
    this.#record = record
  }

  hear(run: string, entries: readonly Entry[]): void {
    const recorded = this.#record.entries.get(run) ?? []
    for (const entry of entries) {
      const place = this.#seen.get(run) ?? 0
      this.#seen.set(run, place + 1)
      const was = recorded[place]
      if (was === undefined && this.#record.breaksOff) continue
      if (was !== undefined && JSON.stringify(was) === JSON.stringify(entry)) continue
      this.#parted ??= parted(run, place, was, entry)
    }
  }

  /** The result so far; final when the runs have ended. */
  get likeness(): Likeness {
    if (this.#parted !== undefined) return this.#parted
    if (this.#record.breaksOff) return { type: 'breaks-off' }
    for (const [run, recorded] of this.#record.entries) {
      const place = this.#seen.get(run) ?? 0
      const missing = recorded[place]
      if (missing !== undefined) return parted(run, place, missing, undefined)
    }
    return { type: 'exact' }
  }
}

function parted(
  run: string,
  entry: number,
  was: Entry | undefined,
  is: Entry | undefined,
): Likeness {
  const seq = seqOf(is) ?? seqOf(was)
  return { type: 'parted', run, entry, seq, message: describe(was, is) }
}

const seqOf = (entry: Entry | undefined): number | undefined =>
  entry !== undefined && 'seq' in entry ? entry.seq : undefined

function describe(was: Entry | undefined, is: Entry | undefined): string {
  if (is === undefined) return `the recording continues with ${was?.type}, but the replay has ended`
  if (was === undefined) return `the recording has ended, but the replay continues with ${is.type}`
  return `${is.type} differs in\n${describeDifferences(differences(asJson(was), asJson(is)))}`
}

function asJson(entry: Entry): Json {
  const value: unknown = JSON.parse(JSON.stringify(entry))
  return isJson(value, 128) ? value : null
}
