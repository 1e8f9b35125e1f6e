import type { CostGroupView, CostRow } from 'echelon/client'
import { type Clock, isJsonObject, type Ids, type Json, type JsonObject } from 'echelon/runtime'
import type { TurnEnd } from '../agents/served-agent.ts'
import type { SharedRecords } from './shared-record.ts'
import { dayOf } from './spending.ts'

export interface CostBookOptions {
  readonly records: SharedRecords
  readonly clock: Clock
  readonly ids: Ids
  readonly onFault: (error: unknown) => void
}

/** The cost of a run, and its user. */
export interface Booking {
  readonly user: string
  readonly agent: string
  readonly end: Pick<TurnEnd, 'rungs' | 'usage' | 'cost'>
}

interface Amounts {
  readonly runs: number
  readonly calls: number
  readonly input: number
  readonly output: number
  readonly cost: number
  readonly unpriced: number
}

/** By user, agent and model, as JSON of the three. */
type Rows = ReadonlyMap<string, Amounts>

const NOTHING: Amounts = { runs: 0, calls: 0, input: 0, output: 0, cost: 0, unpriced: 0 }

/**
 * Adds up what runs cost, by day (UTC), user, agent and model, in the store. Bookings that come while
 * one is written go together, so that many runs cost few writes.
 */
export class CostBook {
  readonly #records: SharedRecords
  readonly #clock: Clock
  readonly #ids: Ids
  readonly #onFault: (error: unknown) => void
  /** By day, not yet written. */
  #pending = new Map<string, Map<string, Amounts>>()
  #writing: Promise<void> | undefined

  constructor(options: CostBookOptions) {
    this.#records = options.records
    this.#clock = options.clock
    this.#ids = options.ids
    this.#onFault = options.onFault
  }

  /** Books an ended run. */
  add({ user, agent, end }: Booking): void {
    const day = dayOf(this.#clock.now())
    const rows = this.#pending.get(day) ?? new Map<string, Amounts>()
    this.#pending.set(day, rows)
    const { rungs, usage, cost } = end
    const known = rungs.length > 0 ? rungs : [{ model: '', calls: 0, ...usage, cost }]
    for (const [index, { model, calls, input, output, cost: own }] of known.entries()) {
      const key = JSON.stringify([user, agent, model])
      const unpriced = own === null ? 1 : 0
      // A run counts once, with its first model.
      const more = { runs: index === 0 ? 1 : 0, calls, input, output, cost: own ?? 0, unpriced }
      rows.set(key, sumOf(rows.get(key) ?? NOTHING, more))
    }
    void this.flush()
  }

  /** Writes what is booked. Never rejects. */
  flush(): Promise<void> {
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined))
    return this.#writing
  }

  /** @param user only theirs; default everybody's */
  async sum(
    days: readonly string[],
    { by, user }: { readonly by: CostGroupView; readonly user?: string | undefined },
  ): Promise<readonly CostRow[]> {
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
    return [...sums].map(([key, { input, output, ...rest }]) => ({
      key,
      ...rest,
      input_tokens: input,
      output_tokens: output,
    }))
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

const VERSION = 1
const recordOf = (day: string): string => `server/costs/${day}`

const sumOf = (a: Amounts, b: Amounts): Amounts => ({
  runs: a.runs + b.runs,
  calls: a.calls + b.calls,
  input: a.input + b.input,
  output: a.output + b.output,
  cost: a.cost + b.cost,
  unpriced: a.unpriced + b.unpriced,
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
  }
}

function partsOf(key: string): readonly string[] {
  const parts: unknown = JSON.parse(key)
  return Array.isArray(parts) ? parts.map(String) : []
}
