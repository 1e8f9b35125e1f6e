import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../../../packages/echelon/src/core/value/json.ts'
import type { AirlineDatabase } from './airline-database.ts'

/** One flight of a trip, from the timetable of that date. */
export interface Leg extends JsonObject {
  readonly flight_number: string
  readonly date: string
  /** Whether the reservation has it already. */
  readonly kept: boolean
  /** `flown` once it has taken off; `unknown` for a flight that does not fly on that date. */
  readonly status: string
  readonly origin: string
  readonly destination: string
  /** Free seats of the cabin. */
  readonly seats: number
  readonly price: number
}

const HOUR = 3_600_000

/** The flights of a list, with what the timetable and the reservation say of each. */
export function legsOf(
  database: AirlineDatabase,
  flights: Json | undefined,
  { held, cabin }: { readonly held: Json | undefined; readonly cabin: Json | undefined },
): readonly Leg[] {
  const heldLegs = objects(held)
  return objects(flights).map((given) => {
    const [number, date] = [text(given['flight_number']), text(given['date'])]
    const old = heldLegs.find((leg) => leg['flight_number'] === number && leg['date'] === date)
    const flight = database.flight(number, date)
    const of = (field: string): number => {
      const table = flight?.[field]
      const value = isJsonObject(table) && typeof cabin === 'string' ? table[cabin] : undefined
      return typeof value === 'number' ? value : 0
    }
    return {
      flight_number: number,
      date,
      kept: old !== undefined,
      status: statusOf(date, text(flight?.['status'])),
      origin: text(flight?.['origin'] ?? old?.['origin']),
      destination: text(flight?.['destination'] ?? old?.['destination']),
      departs: text(flight?.['scheduled_departure_time_est']),
      arrives: text(flight?.['scheduled_arrival_time_est']),
      seats: of('available_seats'),
      price: of('prices'),
      paid: typeof old?.['price'] === 'number' ? old['price'] : 0,
    }
  })
}

/** Today's date in the policy. */
const TODAY = '2024-05-15'

function statusOf(date: string, status: string): string {
  if (status === 'cancelled' || status === 'delayed') return status
  if (date < TODAY || status === 'flying' || status === 'landed') return 'flown'
  return status || 'unknown'
}

/** Whether each flight begins where the one before it ended, and not before it has. */
export function isConnected(legs: readonly Leg[]): boolean {
  return legs.slice(1).every((leg, index) => {
    const last = legs[index]
    if (last === undefined) return false
    if (last.kept && leg.kept) return true
    const [landed, leaves] = [moment(last, 'arrives'), moment(leg, 'departs')]
    const inTime = Number.isNaN(landed) || Number.isNaN(leaves) || leaves >= landed
    return last.destination === leg.origin && inTime
  })
}

/** `03:00:00+1` is on the day after. */
function moment(leg: Leg, field: 'arrives' | 'departs'): number {
  const [time = '', days = '0'] = text(leg[field]).split('+')
  return Date.parse(`${leg.date}T${time}Z`) + Number(days) * 24 * HOUR
}

export const objects = (value: Json | undefined): readonly JsonObject[] =>
  isJsonArray(value) ? value.filter(isJsonObject) : []

export const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
