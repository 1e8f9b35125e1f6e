import { less, multiply, negate, subtract, sum } from '../python/arithmetic.ts'
import { dumps } from '../python/json.ts'
import { repr } from '../python/text.ts'
import { at, contains, dictOf, equals, lengthOf, listOf } from '../python/access.ts'
import { deepCopy, type Dict, PyError, type PyValue } from '../python/value.ts'
import type { TauData } from '../tau/tau-data.ts'
import type { TauTool } from '../tau/tau-tool.ts'
import { priceFlights } from './priced-flights.ts'

const NOT_FOUND = 'Error: reservation not found'

const cancel: TauTool = {
  name: 'cancel_reservation',
  description: 'Cancels a whole reservation and notes the refunds.',
  parameters: { reservation_id: 'string' },
  acts: true,
  run(data, args) {
    const reservation = data.table('reservations').edit(args.get('reservation_id'))
    if (reservation === undefined) return NOT_FOUND
    const history = listOf(at(reservation, 'payment_history'))
    const refunds = history.map(
      (payment): Dict =>
        new Map<string, PyValue>([
          ['payment_id', at(payment, 'payment_id')],
          ['amount', negate(at(payment, 'amount'))],
        ]),
    )
    history.push(...refunds)
    reservation.set('status', 'cancelled')
    return dumps(reservation)
  },
}

const baggages: TauTool = {
  name: 'update_reservation_baggages',
  description: 'Changes how many bags a reservation has.',
  parameters: {
    reservation_id: 'string',
    total_baggages: 'number',
    nonfree_baggages: 'number',
    payment_id: 'string',
  },
  acts: true,
  run(data, args) {
    const reservation = data.table('reservations').edit(args.get('reservation_id'))
    if (reservation === undefined) return NOT_FOUND
    const more = subtract(args.get('nonfree_baggages'), at(reservation, 'nonfree_baggages'))
    const price = multiply(50n, more > 0 ? more : 0n)
    const method = payable(data, reservation, { id: args.get('payment_id'), price })
    if (typeof method === 'string') return `Error: ${method}`
    reservation.set('total_baggages', args.get('total_baggages'))
    reservation.set('nonfree_baggages', args.get('nonfree_baggages'))
    charge(method, price)
    note(reservation, { id: args.get('payment_id'), price })
    return dumps(reservation)
  },
}

/** As in the original, the cabin and the seats of the flights do not change. */
const flights: TauTool = {
  name: 'update_reservation_flights',
  description: 'Puts other flights in the place of those of a reservation.',
  parameters: { reservation_id: 'string', cabin: 'string', flights: 'array', payment_id: 'string' },
  acts: true,
  run(data, args) {
    const reservation = data.table('reservations').edit(args.get('reservation_id'))
    if (reservation === undefined) return NOT_FOUND
    const passengers = at(reservation, 'passengers')
    const flights = listOf(deepCopy(args.get('flights')))
    const booking = { cabin: args.get('cabin'), passengers, kept: reservation }
    const priced = priceFlights(data, flights, booking)
    if ('error' in priced) return `Error: ${priced.error}`
    const before = sum(listOf(at(reservation, 'flights')).map((flight) => at(flight, 'price')))
    const price = subtract(priced.total, multiply(before, lengthOf(passengers)))
    const method = payable(data, reservation, { id: args.get('payment_id'), price })
    if (typeof method === 'string') return `Error: ${method}`
    charge(method, price)
    reservation.set('flights', flights)
    note(reservation, { id: args.get('payment_id'), price })
    return dumps(reservation)
  },
}

const passengers: TauTool = {
  name: 'update_reservation_passengers',
  description: 'Puts other passengers, as many, in the place of those of a reservation.',
  parameters: { reservation_id: 'string', passengers: 'array' },
  acts: true,
  run(data, args) {
    const reservation = data.table('reservations').edit(args.get('reservation_id'))
    if (reservation === undefined) return NOT_FOUND
    const given = args.get('passengers')
    if (lengthOf(given) !== lengthOf(at(reservation, 'passengers'))) {
      return 'Error: number of passengers does not match'
    }
    reservation.set('passengers', given)
    return dumps(reservation)
  },
}

export const reservationChanges: readonly TauTool[] = [cancel, baggages, flights, passengers]

interface Payment {
  readonly id: PyValue
  readonly price: bigint | number
}

/** The payment method of the reservation's user, or why it cannot pay. */
function payable(data: TauData, reservation: Dict, { id, price }: Payment): Dict | string {
  const owner = at(reservation, 'user_id')
  const user = data.table('users').edit(owner)
  if (user === undefined) throw new PyError(repr(owner))
  const methods = at(user, 'payment_methods')
  if (!contains(methods, id)) return 'payment method not found'
  const method = dictOf(at(methods, id))
  const source = at(method, 'source')
  if (source === 'certificate') return 'certificate cannot be used to update reservation'
  if (source === 'gift_card' && less(at(method, 'amount'), price)) {
    return 'gift card balance is not enough'
  }
  return method
}

/** Only gift cards have a balance; a negative price is put back on it. */
function charge(method: Dict, price: bigint | number): void {
  if (at(method, 'source') !== 'gift_card') return
  method.set('amount', subtract(at(method, 'amount'), price, '-='))
}

function note(reservation: Dict, { id, price }: Payment): void {
  if (equals(price, 0n)) return
  const payment = new Map<string, PyValue>([
    ['payment_id', id],
    ['amount', price],
  ])
  listOf(at(reservation, 'payment_history')).push(payment)
}
