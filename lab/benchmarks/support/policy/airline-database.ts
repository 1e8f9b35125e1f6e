import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../../../packages/echelon/src/core/value/json.ts'
import { parsed, type NamedCall } from './airline-run.ts'

/** The files of the domain as they are before any run. */
export interface AirlineTables {
  readonly users: JsonObject
  readonly reservations: JsonObject
  readonly flights: JsonObject
}

/** Missing tables are empty, since a run itself shows the relevant records. */
export async function readAirlineTables(folder: string): Promise<AirlineTables> {
  const [users, reservations, flights] = await Promise.all(
    ['users', 'reservations', 'flights'].map(async (name) => {
      const text = await readFile(join(folder, `${name}.json`), 'utf8').catch(() => '{}')
      const table = parsed(text)
      return isJsonObject(table) ? table : {}
    }),
  )
  return { users: users ?? {}, reservations: reservations ?? {}, flights: flights ?? {} }
}

/** Data at a point of a run: the tables, overlaid with what its calls have shown and changed. */
export class AirlineDatabase {
  readonly #tables: AirlineTables
  readonly #users = new Map<string, JsonObject>()
  readonly #reservations = new Map<string, JsonObject>()
  readonly #seen = new Map<string, JsonObject>()

  constructor(tables: AirlineTables) {
    this.#tables = tables
  }

  user(id: Json | undefined): JsonObject | null {
    return typeof id === 'string' ? (this.#users.get(id) ?? record(this.#tables.users, id)) : null
  }

  reservation(id: Json | undefined): JsonObject | null {
    if (typeof id !== 'string') return null
    return this.#reservations.get(id) ?? record(this.#tables.reservations, id)
  }

  /** Whether the run has seen it. */
  isLookedUp(id: string): boolean {
    return this.#reservations.has(id)
  }

  /** A flight on a date: `status`, `prices`, `available_seats`, and where and when it goes. */
  flight(number: Json | undefined, date: Json | undefined): JsonObject | null {
    if (typeof number !== 'string' || typeof date !== 'string') return null
    const flight = record(this.#tables.flights, number)
    const dates = flight?.['dates']
    const day = isJsonObject(dates) ? dates[date] : undefined
    const found = flight !== null && isJsonObject(day) ? { ...flight, ...day } : undefined
    return found ?? this.#seen.get(`${number} ${date}`) ?? null
  }

  /** Adds the answer of a call. */
  learn({ name, params }: NamedCall, output: string): void {
    const value = parsed(output)
    if (name.startsWith('search_')) this.#learnFlights(value, params['date'])
    if (!isJsonObject(value)) return
    const { user_id: asked } = params
    if (name === 'get_user_details' && typeof asked === 'string') this.#users.set(asked, value)
    const id = value['reservation_id']
    if (typeof id !== 'string') return
    if (!name.startsWith('get_')) this.#pay(this.reservation(id), value)
    // The tool keeps the booked cabin; the customer flies in the changed one.
    const cabin = name === 'update_reservation_flights' ? params['cabin'] : undefined
    const before = this.#reservations.get(id)?.['flown_cabin']
    const flown = cabin ?? before
    this.#reservations.set(id, flown === undefined ? value : { ...value, flown_cabin: flown })
  }

  #learnFlights(value: Json, asked: Json | undefined): void {
    if (isJsonArray(value)) for (const each of value) this.#learnFlights(each, asked)
    if (!isJsonObject(value)) return
    const { flight_number: number, date = asked } = value
    if (typeof number === 'string' && typeof date === 'string') {
      this.#seen.set(`${number} ${date}`, value)
    }
  }

  /** Applies payments of a write to gift cards and certificates, from the payment history. */
  #pay(before: JsonObject | null, after: JsonObject): void {
    if (after['status'] === 'cancelled') return
    const id = after['user_id']
    const user = this.user(id)
    const methods = user?.['payment_methods']
    if (typeof id !== 'string' || user === null || !isJsonObject(methods)) return
    const left: Record<string, Json> = { ...methods }
    for (const { payment_id, amount } of payments(after).slice(payments(before).length)) {
      const method = typeof payment_id === 'string' ? left[payment_id] : undefined
      if (typeof payment_id !== 'string' || !isJsonObject(method)) continue
      if (method['source'] === 'certificate') delete left[payment_id]
      if (method['source'] === 'gift_card') {
        left[payment_id] = { ...method, amount: Number(method['amount']) - Number(amount) }
      }
    }
    this.#users.set(id, { ...user, payment_methods: left })
  }
}

const payments = (reservation: JsonObject | null): readonly JsonObject[] => {
  const history = reservation?.['payment_history']
  return isJsonArray(history) ? history.filter(isJsonObject) : []
}

function record(table: JsonObject, id: string): JsonObject | null {
  const found = Object.hasOwn(table, id) ? table[id] : undefined
  return isJsonObject(found) ? found : null
}
