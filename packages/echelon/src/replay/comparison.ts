import { describeDifferences, differences } from '../core/value/parting.ts'
import type { Entry } from '../core/journal/journal.ts'
import { isJson, type Json } from '../core/value/json.ts'
import type { RunRecord } from './run-record.ts'

/** How a replay compares with its recording. */
export type Likeness =
  /** Every entry of every journal is the same, to the last byte. */
  | { readonly type: 'exact' }
  /** So far as the recording goes, which was interrupted. */
  | { readonly type: 'breaks-off' }
  | {
      readonly type: 'parted'
      readonly run: string
      /** Number of the first entry that differs, from 0 on. */
      readonly entry: number
      /** The step that it belongs to; nothing for one that belongs to none. */
      readonly seq: number | undefined
      /** Where the two differ, for a person. */
      readonly message: string
    }

/** Holds what a replay journals against what is on record. */
export class Comparison {
  readonly #record: RunRecord
  readonly #seen = new Map<string, number>()
  #parted: Likeness | undefined

  constructor(record: RunRecord) {
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

  /** As it stands now: ask when the runs are over. */
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
  if (is === undefined) return `the recording goes on with ${was?.type}, and the replay has ended`
  if (was === undefined) return `the recording has ended, and the replay goes on with ${is.type}`
  return `${is.type} differs in\n${describeDifferences(differences(asJson(was), asJson(is)))}`
}

function asJson(entry: Entry): Json {
  const value: unknown = JSON.parse(JSON.stringify(entry))
  return isJson(value, 128) ? value : null
}
