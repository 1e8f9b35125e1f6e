import { dumps } from '../python/json.ts'
import { add, less } from '../python/arithmetic.ts'
import { at, contains } from '../python/access.ts'
import { type Dict, PyError, type PyValue } from '../python/value.ts'
import type { TauTool } from '../tau/tau-tool.ts'
import type { TauData } from '../tau/tau-data.ts'
import { repr } from '../python/text.ts'

const AIRPORTS = {
  SFO: 'San Francisco',
  JFK: 'New York',
  LAX: 'Los Angeles',
  ORD: 'Chicago',
  DFW: 'Dallas',
  DEN: 'Denver',
  SEA: 'Seattle',
  ATL: 'Atlanta',
  MIA: 'Miami',
  BOS: 'Boston',
  PHX: 'Phoenix',
  IAH: 'Houston',
  LAS: 'Las Vegas',
  MCO: 'Orlando',
  EWR: 'Newark',
  CLT: 'Charlotte',
  MSP: 'Minneapolis',
  DTW: 'Detroit',
  PHL: 'Philadelphia',
  LGA: 'LaGuardia',
}

const ROUTE = { origin: 'string', destination: 'string', date: 'string' } as const

export const flightTools: readonly TauTool[] = [
  {
    name: 'list_all_airports',
    description: 'Lists the airports with their cities.',
    parameters: {},
    run: () => dumps(new Map(Object.entries(AIRPORTS))),
  },
  {
    name: 'search_direct_flight',
    description: 'Searches flights from one airport to another on a date.',
    parameters: ROUTE,
    run(data, args) {
      const date = args.get('date')
      const found = flightsOf(data).filter(
        (flight) =>
          at(flight, 'origin') === args.get('origin') &&
          at(flight, 'destination') === args.get('destination') &&
          isAvailable(flight, date),
      )
      return dumps(found.map((flight) => onDate(flight, date)))
    },
  },
  {
    name: 'search_onestop_flight',
    description: 'Searches pairs of flights that lead from one airport to another on a date.',
    parameters: ROUTE,
    run(data, args) {
      const first = flightsOf(data).filter((flight) => at(flight, 'origin') === args.get('origin'))
      const last = flightsOf(data).filter(
        (flight) => at(flight, 'destination') === args.get('destination'),
      )
      const date = args.get('date')
      const pairs = first.flatMap((one) =>
        last.flatMap((other) => {
          if (at(one, 'destination') !== at(other, 'origin')) return []
          const pair = connection(one, other, date)
          return pair === undefined ? [] : [pair]
        }),
      )
      return dumps(pairs)
    },
  },
]

const flightsOf = (data: TauData): readonly Dict[] =>
  data
    .table('flights')
    .entries()
    .map(([, flight]) => flight)

const isAvailable = (flight: Dict, date: PyValue): boolean =>
  contains(at(flight, 'dates'), date) && at(at(at(flight, 'dates'), date), 'status') === 'available'

/** A flight with the data of one date instead of all its dates. */
function onDate(flight: Dict, date: PyValue, flown?: PyValue): Dict {
  const shown = new Map([...flight].filter(([key]) => key !== 'dates'))
  const day = at(at(flight, 'dates'), date)
  if (day instanceof Map) for (const [key, value] of day) shown.set(key, value)
  if (flown !== undefined) shown.set('date', flown)
  return shown
}

/**
 * Two connecting flights, or `undefined`. As in the original, times are compared as text, the next day
 * is not padded, and the data of the second flight is read at the first one's date.
 */
function connection(one: Dict, other: Dict, date: PyValue): PyValue[] | undefined {
  const arrival = at(one, 'scheduled_arrival_time_est')
  const second = contains(arrival, '+1') ? `2024-05-${add(dayOf(date), 1n)}` : date
  if (less(at(other, 'scheduled_departure_time_est'), arrival, '>')) return undefined
  if (!contains(at(one, 'dates'), date) || !contains(at(other, 'dates'), second)) return undefined
  if (!isAvailable(one, date) || !isAvailable(other, second)) return undefined
  return [onDate(one, date, date), onDate(other, date, second)]
}

function dayOf(date: PyValue): bigint {
  const day = typeof date === 'string' ? date.slice(-2) : ''
  if (!/^\s*[-+]?\d+\s*$/.test(day)) {
    throw new PyError(`invalid literal for int() with base 10: ${repr(day)}`)
  }
  return BigInt(day.trim().replace('+', ''))
}
