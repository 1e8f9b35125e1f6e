import type { CostGroupView, CostRow, SavedView } from 'echelon/client'
import { type Clock, isJsonObject, type Ids, type Json, type JsonObject } from 'echelon/runtime'
import type { TurnEnd } from '../agents/served-agent.ts'
import type { SharedRecords } from './shared-record.ts'
import { type PriceOf, type Saving, SAVING_METHOD, savingOf } from './savings.ts'
import { dayOf } from './spending.ts'

export interface CostBookOptions {
  readonly records: SharedRecords
  readonly clock: Clock
  readonly ids: Ids
  readonly priceOf: PriceOf
  readonly onFault: (error: unknown) => void
}

/** The cost of a run, and its user. */
export interface Booking {
  readonly user: string
  readonly agent: string
  /** The agent's models, cheapest first. */
  readonly models: readonly string[]
  readonly end: Pick<TurnEnd, 'rungs' | 'usage' | 'cost'>
}

interface Amounts {
  readonly runs: number
  readonly calls: number
  readonly input: number
  readonly output: number
  readonly cost: number
  readonly unpriced: number
  /** Number of runs that are compared with the biggest model. */
  readonly compared: number
  /** Number of runs left out because a price is not known. */
  readonly leftOut: number
  readonly saved: number
  readonly otherwise: number
}

/** Sums of a time. */
export interface CostSums {
  readonly rows: readonly CostRow[]
  readonly saved: SavedView
}

/** By user, agent and model, as JSON of the three. */
type Rows = ReadonlyMap<string, Amounts>

const NOTHING: Amounts = {
  runs: 0,
  calls: 0,
  input: 0,
  output: 0,
  cost: 0,
  unpriced: 0,
  compared: 0,
  leftOut: 0,
  saved: 0,
  otherwise: 0,
}

/**
 * Adds up what runs cost, by day (UTC), user, agent and model, in the store. Bookings that come while
 * one is written go together, so that many runs cost few writes.
 */
export class CostBook {
  readonly #records: SharedRecords
  readonly #clock: Clock
  readonly #ids: Ids
  readonly #priceOf: PriceOf
  readonly #onFault: (error: unknown) => void
  /** By day, not yet written. */
  #pending = new Map<string, Map<string, Amounts>>()
  #writing: Promise<void> | undefined
  /** Bookings whose savings are computed. */
  readonly #coming = new Set<Promise<void>>()

  constructor(options: CostBookOptions) {
    this.#records = options.records
    this.#clock = options.clock
    this.#ids = options.ids
    this.#priceOf = options.priceOf
    this.#onFault = options.onFault
  }

  /** Books an ended run. */
  add(booking: Booking): void {
    const day = dayOf(this.#clock.now())
    const coming = savingOf(booking, this.#priceOf)
      .catch((error: unknown) => {
        this.#onFault(error)
        return null
      })
      .then((saving) => this.#book(booking, day, saving))
      .finally(() => this.#coming.delete(coming))
    this.#coming.add(coming)
  }

  #book({ user, agent, end }: Booking, day: string, saving: Saving | null | undefined): void {
    const rows = this.#pending.get(day) ?? new Map<string, Amounts>()
    this.#pending.set(day, rows)
    const { rungs, usage, cost } = end
    const known = rungs.length > 0 ? rungs : [{ model: '', calls: 0, ...usage, cost }]
    for (const [index, { model, calls, input, output, cost: own }] of known.entries()) {
      const key = JSON.stringify([user, agent, model])
      const unpriced = own === null ? 1 : 0
      // A run counts once, with its first model.
      const counted = index === 0 ? { runs: 1, ...savedBy(saving) } : {}
      const more = { ...NOTHING, calls, input, output, cost: own ?? 0, unpriced, ...counted }
      rows.set(key, sumOf(rows.get(key) ?? NOTHING, more))
    }
    void this.#written()
  }

  /** Writes what is booked. Never rejects. */
  async flush(): Promise<void> {
    await Promise.all(this.#coming)
    await this.#written()
  }

  #written(): Promise<void> {
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined))
    return this.#writing
  }

  /** @param user only theirs; default everybody's */
  async sum(
    days: readonly string[],
    { by, user }: { readonly by: CostGroupView; readonly user?: string | undefined },
  ): Promise<CostSums> {
    await this.flush()
    const sums = new Map<string, Amounts>()
    for (const day of days) {
      for (const [key, amounts] of rowsIn(await this.#records.read(recordOf(day)))) {
        const [whose = '', agent = '', model = ''] = partsOf(key)
        if (user !== undefined && whose !== user) continue
        const group = { day, agent, model, user: whose }[by]
        sums.set(group, sumOf(sums.get(group) ?? NOTHING, amounts))
      }
    }
    return {
      rows: [...sums].map(([key, { runs, calls, input, output, cost, unpriced, saved }]) => ({
        key,
        runs,
        calls,
        input_tokens: input,
        output_tokens: output,
        cost,
        unpriced,
        saved,
      })),
      saved: savedView([...sums.values()].reduce(sumOf, NOTHING)),
    }
  }

  async #write(): Promise<void> {
    while (this.#pending.size > 0) {
      const pending = this.#pending
      this.#pending = new Map()
      for (const [day, rows] of pending) {
        try {
          await this.#records.change(recordOf(day), `server:${this.#ids.next()}`, (value) => ({
            value: written(rowsIn(value), rows),
            result: undefined,
          }))
        } catch (error) {
          this.#onFault(error)
        }
      }
    }
  }
}

const savedBy = (saving: Saving | null | undefined): Partial<Amounts> =>
  saving === undefined ? {} : saving === null ? { leftOut: 1 } : { compared: 1, ...saving }

const savedView = ({ saved, otherwise, compared, leftOut }: Amounts): SavedView => ({
  amount: saved,
  otherwise,
  runs: compared,
  left_out: leftOut,
  method: SAVING_METHOD,
})

const VERSION = 1
const recordOf = (day: string): string => `server/costs/${day}`

const sumOf = (a: Amounts, b: Amounts): Amounts => ({
  runs: a.runs + b.runs,
  calls: a.calls + b.calls,
  input: a.input + b.input,
  output: a.output + b.output,
  cost: a.cost + b.cost,
  unpriced: a.unpriced + b.unpriced,
  compared: a.compared + b.compared,
  leftOut: a.leftOut + b.leftOut,
  saved: a.saved + b.saved,
  otherwise: a.otherwise + b.otherwise,
})

function written(before: Rows, more: Rows): JsonObject {
  const rows = new Map(before)
  for (const [key, amounts] of more) rows.set(key, sumOf(rows.get(key) ?? NOTHING, amounts))
  const json: JsonObject = Object.fromEntries(
    [...rows].map(([key, amounts]) => [key, { ...amounts }]),
  )
  return { version: VERSION, rows: json }
}

function rowsIn(value: Json): Rows {
  const rows = isJsonObject(value) ? value['rows'] : undefined
  if (!isJsonObject(rows)) return new Map()
  return new Map(Object.entries(rows).map(([key, amounts]) => [key, amountsIn(amounts)]))
}

function amountsIn(value: Json): Amounts {
  const given = isJsonObject(value) ? value : {}
  const of = (name: keyof Amounts): number => {
    const amount = given[name]
    return typeof amount === 'number' ? amount : 0
  }
  return {
    runs: of('runs'),
    calls: of('calls'),
    input: of('input'),
    output: of('output'),
    cost: of('cost'),
    unpriced: of('unpriced'),
    // Days that an older version wrote have none of these.
    compared: of('compared'),
    leftOut: of('leftOut'),
    saved: of('saved'),
    otherwise: of('otherwise'),
  }
}

function partsOf(key: string): readonly string[] {
  const parts: unknown = JSON.parse(key)
  return Array.isArray(parts) ? parts.map(String) : []
}
