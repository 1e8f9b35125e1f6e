import { add, less, multiply } from '../python/arithmetic.ts'
import { str } from '../python/text.ts'
import { at, contains, dictOf, equals, lengthOf, listOf } from '../python/access.ts'
import type { Dict, PyValue } from '../python/value.ts'
import type { TauData } from '../tau/tau-data.ts'

/** The booked flights with prices and their total, or the reason why not. */
export type Priced = { readonly total: bigint | number } | { readonly error: string }

export interface Booking {
  readonly cabin: PyValue
  readonly passengers: PyValue
  /** Flights that stay unchanged: those of this reservation, if it has this cabin. */
  readonly kept?: Dict
}

/** Puts price, origin and destination into each flight of a list. */
export function priceFlights(data: TauData, flights: readonly PyValue[], booking: Booking): Priced {
  let total: bigint | number = 0n
  for (const given of flights) {
    const kept = booking.kept === undefined ? undefined : keptFlight(given, booking.kept, booking)
    const source = kept ?? offered(data, given, booking)
    if (typeof source === 'string') return { error: source }
    const flight = dictOf(given)
    for (const key of ['price', 'origin', 'destination']) flight.set(key, at(source, key))
    total = add(total, multiply(at(source, 'price'), lengthOf(booking.passengers)))
  }
  return { total }
}

function keptFlight(given: PyValue, reservation: Dict, { cabin }: Booking): PyValue | undefined {
  return listOf(at(reservation, 'flights')).find(
    (flight) =>
      equals(at(flight, 'flight_number'), at(given, 'flight_number')) &&
      equals(at(flight, 'date'), at(given, 'date')) &&
      equals(cabin, at(reservation, 'cabin')),
  )
}

/** Price and destination of a flight, or the reason why it is not available. */
function offered(data: TauData, given: PyValue, { cabin, passengers }: Booking): Dict | string {
  const id = at(given, 'flight_number')
  const number = str(id)
  const flight = data.table('flights').find(id)
  if (flight === undefined) return `flight ${number} not found`
  const date = at(given, 'date')
  const dates = at(flight, 'dates')
  if (!contains(dates, date)) return `flight ${number} not found on date ${str(date)}`
  const day = at(dates, date)
  if (at(day, 'status') !== 'available') {
    return `flight ${number} not available on date ${str(date)}`
  }
  if (less(at(at(day, 'available_seats'), cabin), lengthOf(passengers))) {
    return `not enough seats on flight ${number}`
  }
  return new Map([
    ['price', at(at(day, 'prices'), cabin)],
    ['origin', at(flight, 'origin')],
    ['destination', at(flight, 'destination')],
  ])
}
