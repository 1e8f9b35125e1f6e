import { add, less, multiply, subtract, sum } from '../python/arithmetic.ts'
import { dumps } from '../python/json.ts'
import { str } from '../python/text.ts'
import { at, contains, dictOf, equals, lengthOf, listOf } from '../python/access.ts'
import { deepCopy, type Dict, PyError, type PyValue } from '../python/value.ts'
import type { TauData } from '../tau/tau-data.ts'
import type { Args, TauTool } from '../tau/tau-tool.ts'
import { priceFlights } from './priced-flights.ts'

const PARAMETERS = {
  user_id: 'string',
  origin: 'string',
  destination: 'string',
  flight_type: 'string',
  cabin: 'string',
  flights: 'array',
  passengers: 'array',
  payment_methods: 'array',
  total_baggages: 'number',
  nonfree_baggages: 'number',
  insurance: 'string',
} as const

/** Seats are not counted down, as in the original, where that takes time. */
export const bookReservation: TauTool = {
  name: 'book_reservation',
  description: 'Books flights for passengers, paid with the given payment methods.',
  parameters: PARAMETERS,
  acts: true,
  run(data, args) {
    const user = data.table('users').edit(args.get('user_id'))
    if (user === undefined) return 'Error: user not found'
    const reservation = newReservation(freeId(data), args)
    const passengers = args.get('passengers')
    const priced = priceFlights(data, listOf(at(reservation, 'flights')), {
      cabin: args.get('cabin'),
      passengers,
    })
    if ('error' in priced) return `Error: ${priced.error}`
    const insured = args.get('insurance') === 'yes' ? multiply(30n, lengthOf(passengers)) : 0n
    const baggage = multiply(50n, args.get('nonfree_baggages'))
    const total = add(add(priced.total, insured), baggage)
    const refused = refusal(user, listOf(args.get('payment_methods')), total)
    if (refused !== undefined) return `Error: ${refused}`
    pay(dictOf(at(user, 'payment_methods')), listOf(args.get('payment_methods')))
    data.table('reservations').set(str(at(reservation, 'reservation_id')), reservation)
    listOf(at(user, 'reservations')).push(at(reservation, 'reservation_id'))
    return dumps(reservation)
  },
}

/** No task books more than three times, so the third id is used without a check. */
function freeId(data: TauData): string {
  const reservations = data.table('reservations')
  const free = ['HATHAT', 'HATHAU'].find((id) => reservations.find(id) === undefined)
  return free ?? 'HATHAV'
}

const newReservation = (id: string, args: Args): Dict =>
  new Map<string, PyValue>([
    ['reservation_id', id],
    ['user_id', args.get('user_id')],
    ['origin', args.get('origin')],
    ['destination', args.get('destination')],
    ['flight_type', args.get('flight_type')],
    ['cabin', args.get('cabin')],
    ['flights', deepCopy(args.get('flights'))],
    ['passengers', args.get('passengers')],
    ['payment_history', args.get('payment_methods')],
    ['created_at', '2024-05-15T15:00:00'],
    ['total_baggages', args.get('total_baggages')],
    ['nonfree_baggages', args.get('nonfree_baggages')],
    ['insurance', args.get('insurance')],
  ])

function refusal(
  user: Dict,
  payments: readonly PyValue[],
  total: bigint | number,
): string | undefined {
  const methods = at(user, 'payment_methods')
  for (const payment of payments) {
    const id = at(payment, 'payment_id')
    const amount = at(payment, 'amount')
    if (!contains(methods, id)) return `payment method ${str(id)} not found`
    const method = at(methods, id)
    const isLimited = contains(['gift_card', 'certificate'], at(method, 'source'))
    if (isLimited && less(at(method, 'amount'), amount)) {
      return `not enough balance in payment method ${str(id)}`
    }
  }
  const paid = sum(payments.map((payment) => at(payment, 'amount')))
  if (equals(paid, total)) return undefined
  return `payment amount does not add up, total price is ${str(total)}, but paid ${str(paid)}`
}

function pay(methods: Dict, payments: readonly PyValue[]): void {
  for (const payment of payments) {
    const id = at(payment, 'payment_id')
    const method = dictOf(at(methods, id))
    const source = at(method, 'source')
    if (source === 'gift_card') {
      method.set('amount', subtract(at(method, 'amount'), at(payment, 'amount'), '-='))
    }
    // The rest of a certificate is lost.
    if (source === 'certificate' && !methods.delete(str(id))) throw new PyError(`'${str(id)}'`)
  }
}
