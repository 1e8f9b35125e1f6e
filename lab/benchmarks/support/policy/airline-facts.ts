import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../../../packages/echelon/src/core/value/json.ts'
import type { AirlineDatabase } from './airline-database.ts'
import type { NamedCall, RunStep } from './airline-run.ts'
import { isConnected, type Leg, legsOf, objects, text } from './airline-trip.ts'

/** The policy says that it is 15:00 EST; the records of the domain are in that zone too. */
const NOW = Date.parse('2024-05-15T15:00:00Z')

const HOUR = 3_600_000

/** Facts for the rules of the airline at the time of a call, as named in `policies.yaml`. */
export function airlineFacts(
  database: AirlineDatabase,
  { name, params }: NamedCall,
  before: readonly RunStep[],
): JsonObject {
  const reservation = database.reservation(params['reservation_id'])
  const userId = reservation?.['user_id'] ?? params['user_id'] ?? null
  const user = database.user(userId)
  const held = reservation?.['flights']
  const cabin = reservation?.['flown_cabin'] ?? reservation?.['cabin'] ?? null
  const legs = legsOf(database, params['flights'] ?? held, {
    held,
    cabin: params['cabin'] ?? cabin,
  })
  const people = objects(reservation?.['passengers'] ?? params['passengers']).length
  const fares = legs.map((leg) => (leg.kept && params['cabin'] === cabin ? leg['paid'] : leg.price))
  const old = objects(held).map((leg) => leg['price'])
  return {
    user: user === null ? null : { ...user, id: userId },
    reservation: reservation && {
      ...reservation,
      booked_cabin: reservation['cabin'] ?? null,
      cabin,
    },
    hours_since_booking: (NOW - Date.parse(`${text(reservation?.['created_at'])}Z`)) / HOUR,
    flights: legs,
    trip: tripOf(legs, legsOf(database, held, { held, cabin })),
    price: people * (name === 'book_reservation' ? sum(fares) : sum(fares) - sum(old)),
    paid: sum(objects(params['payment_methods']).map((payment) => payment['amount'])),
    payments: paymentsOf(params, user),
    complaints: reservationsOf(database, user).map((each) => complaintOf(database, each)),
    ...wordsOf(before),
  }
}

const sum = (values: readonly (Json | undefined)[]): number =>
  values.reduce((total: number, value) => total + Number(value ?? 0), 0)

/** `flown` counts flights of the reservation as it is. */
const tripOf = (legs: readonly Leg[], held: readonly Leg[]): JsonObject => ({
  starts: legs[0]?.origin ?? '',
  ends: legs.at(-1)?.destination ?? '',
  connected: isConnected(legs),
  length: held.length,
  flown: held.filter((leg) => leg.status === 'flown').length,
  same_flights: legs.length === held.length && legs.every((leg) => leg.kept),
})

function paymentsOf(params: JsonObject, user: JsonObject | null): readonly JsonObject[] {
  const given =
    params['payment_methods'] === undefined
      ? [{ payment_id: params['payment_id'] ?? null }]
      : objects(params['payment_methods'])
  const methods = user?.['payment_methods']
  return given.map((payment) => {
    const id = text(payment['payment_id'])
    const method = isJsonObject(methods) && Object.hasOwn(methods, id) ? methods[id] : undefined
    const known = isJsonObject(method) ? method : {}
    return {
      id,
      amount: Number(payment['amount'] ?? 0),
      source: text(known['source']) || 'unknown',
      balance: typeof known['amount'] === 'number' ? known['amount'] : 0,
    }
  })
}

const reservationsOf = (
  database: AirlineDatabase,
  user: JsonObject | null,
): readonly JsonObject[] => {
  const ids = user?.['reservations']
  return (isJsonArray(ids) ? ids : []).flatMap((id) => {
    const found = database.reservation(id)
    return found === null ? [] : [found]
  })
}

/** Possible grounds for complaint, by reservation. */
const complaintOf = (database: AirlineDatabase, reservation: JsonObject): JsonObject => {
  const held = reservation['flights']
  return {
    passengers: objects(reservation['passengers']).length,
    cabin: reservation['cabin'] ?? null,
    insurance: reservation['insurance'] ?? null,
    is_looked_up: database.isLookedUp(text(reservation['reservation_id'])),
    is_changed: reservation['status'] === 'cancelled' || reservation['flown_cabin'] !== undefined,
    statuses: legsOf(database, held, { held, cabin: undefined }).map((leg) => leg.status),
  }
}

/** The text so far, in lower case, and as words separated by spaces. */
function wordsOf(steps: readonly RunStep[]): JsonObject {
  const of = (type: RunStep['type']): readonly string[] =>
    steps.flatMap((step) =>
      step.type === type && step.type !== 'call' ? [step.text.toLowerCase()] : [],
    )
  const user = of('user')
  return {
    said: user.join('\n'),
    said_words: inWords(user.join(' ')),
    said_last: inWords(user.at(-1) ?? ''),
    certificates: steps.filter(
      (step) =>
        step.type === 'call' &&
        step.call.name === 'send_certificate' &&
        !step.output.startsWith('Error'),
    ).length,
  }
}

const inWords = (said: string): string => ` ${said.replaceAll(/[^a-z0-9]+/g, ' ').trim()} `
