import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { DatabaseHash, FORMULAS, TUPLES } from '../tau/database-hash.ts'
import { AIRLINE_FILES, called } from '../tau/in-tests.ts'
import { airlineTools } from './airline-tools.ts'

const airline = (): ReturnType<typeof called> => called(airlineTools, AIRLINE_FILES)

/** Calls in order, each with the start of its answer. */
function inOrder(calls: readonly (readonly [name: string, args: string, wanted: string])[]): void {
  const { call } = airline()
  for (const [name, args, wanted] of calls) {
    assert.equal(call(name, args).slice(0, wanted.length), wanted)
  }
}

const BOOKING = {
  user_id: 'zoë_1',
  origin: 'SFO',
  destination: 'DEN',
  flight_type: 'one_way',
  cabin: 'economy',
  flights: [{ flight_number: 'F1', date: '2024-05-20' }],
  passengers: [{ first_name: 'Zoë', last_name: "O'Hara", dob: '1990-01-01' }],
  payment_methods: [
    { payment_id: 'certificate_1', amount: 170 },
    { payment_id: 'gift_card_1', amount: 10 },
  ],
  total_baggages: 1,
  nonfree_baggages: 1,
  insurance: 'yes',
}

const booking = (changes: object = {}): string => JSON.stringify({ ...BOOKING, ...changes })

suite('the tools of the airline', () => {
  test('there are 14, with distinct names', () => {
    assert.equal(new Set(airlineTools.map(({ name }) => name)).size, 14)
  })

  test('records are shown as json.dumps prints them', () => {
    const { call } = airline()
    assert.equal(
      call('get_user_details', '{"user_id": "bo_2"}'),
      '{"name": {"first_name": "Bo", "last_name": "Li"}, "email": "bo@example.org", "payment_methods": {}, "reservations": []}',
    )
    assert.match(call('get_user_details', '{"user_id": "zoë_1"}'), /"Zo\\u00eb".*"amount": 250\.0,/)
    assert.match(
      call('get_reservation_details', '{"reservation_id": "RES001"}'),
      /^\{"reservation_id": "RES001", /,
    )
    assert.equal(
      call('get_reservation_details', '{"reservation_id": "NO"}'),
      'Error: user not found',
    )
    assert.equal(call('get_user_details', '{"user_id": 7}'), 'Error: user not found')
  })

  test('read-only tools', () => {
    inOrder([
      ['think', '{"thought": "hm"}', ''],
      ['transfer_to_human_agents', '{"summary": "x"}', 'Transfer successful'],
      ['calculate', '{"expression": "2 * 3.5"}', '7.0'],
      ['calculate', '{"expression": "2x"}', 'Error: invalid characters in expression'],
      ['calculate', '{"expression": "1/0"}', 'Error: division by zero'],
      ['list_all_airports', '{}', '{"SFO": "San Francisco", "JFK": "New York", '],
    ])
  })

  test('flights are searched as they are on a date', () => {
    const { call } = airline()
    const route = '{"origin": "SFO", "destination": "DEN", "date": "2024-05-20"}'
    assert.equal(
      call('search_direct_flight', route),
      '[{"flight_number": "F1", "origin": "SFO", "destination": "DEN", "scheduled_departure_time_est": "08:00:00", "scheduled_arrival_time_est": "10:00:00", "status": "available", "available_seats": {"economy": 2, "business": 1}, "prices": {"economy": 100, "business": 250.5}}]',
    )
    assert.equal(call('search_direct_flight', route.replace('20"', '21"')), '[]')
  })

  test('pairs of flights, with the quirks of the original', () => {
    const { call } = airline()
    const search = (date: string): string =>
      call('search_onestop_flight', `{"origin": "SFO", "destination": "JFK", "date": "${date}"}`)
    assert.match(
      search('2024-05-20'),
      /^\[\[\{"flight_number": "F1".*"date": "2024-05-20"\}, \{"flight_number": "F2".*"date": "2024-05-20"\}\]\]$/,
    )
    // The second flight is on the day after, and its prices are looked up on the day before.
    assert.equal(search('2024-05-19'), "Error: '2024-05-19'")
    assert.equal(search('soon'), "Error: invalid literal for int() with base 10: 'on'")
    assert.equal(search('2024-05-05'), '[]')
  })

  test('a booking is priced, paid and stored', () => {
    const { call, data } = airline()
    assert.equal(
      call('book_reservation', booking()),
      '{"reservation_id": "HATHAT", "user_id": "zo\\u00eb_1", "origin": "SFO", "destination": "DEN", "flight_type": "one_way", "cabin": "economy", "flights": [{"flight_number": "F1", "date": "2024-05-20", "price": 100, "origin": "SFO", "destination": "DEN"}], "passengers": [{"first_name": "Zo\\u00eb", "last_name": "O\'Hara", "dob": "1990-01-01"}], "payment_history": [{"payment_id": "certificate_1", "amount": 170}, {"payment_id": "gift_card_1", "amount": 10}], "created_at": "2024-05-15T15:00:00", "total_baggages": 1, "nonfree_baggages": 1, "insurance": "yes"}',
    )
    assert.match(
      call('get_user_details', '{"user_id": "zoë_1"}'),
      /"payment_methods": \{"credit_card_1": \{[^}]*\}, "gift_card_1": \{"source": "gift_card", "amount": 50, "id": "gift_card_1"\}\}, "reservations": \["RES001", "HATHAT"\]/,
    )
    const paid = [{ payment_id: 'credit_card_1', amount: 180 }]
    const next = (): string => call('book_reservation', booking({ payment_methods: paid }))
    assert.deepEqual(
      [next(), next(), next()].map((answer) => answer.slice(0, 28)),
      [
        '{"reservation_id": "HATHAU",',
        '{"reservation_id": "HATHAV",',
        '{"reservation_id": "HATHAV",',
      ],
    )
    assert.equal(data.table('reservations').entries().length, 4)
  })

  test('a booking is refused in the words of the original, and changes nothing', () => {
    const { call, data } = airline()
    const before = new DatabaseHash(TUPLES).of(data)
    const flight = (change: object): object => ({
      flights: [{ flight_number: 'F1', date: '2024-05-20', ...change }],
    })
    const pay = (payment_id: string, amount: number): object => ({
      payment_methods: [{ payment_id, amount }],
    })
    const refused: readonly (readonly [object, string])[] = [
      [{ user_id: 'nobody' }, 'user not found'],
      [flight({ flight_number: 'F9' }), 'flight F9 not found'],
      [flight({ date: '2024-05-29' }), 'flight F1 not found on date 2024-05-29'],
      [flight({ date: '2024-05-21' }), 'flight F1 not available on date 2024-05-21'],
      [{ passengers: [{}, {}, {}] }, 'not enough seats on flight F1'],
      [{ cabin: 'attic' }, "'attic'"],
      [pay('credit_card_9', 180), 'payment method credit_card_9 not found'],
      [pay('gift_card_1', 180), 'not enough balance in payment method gift_card_1'],
      [
        pay('credit_card_1', 180.5),
        'payment amount does not add up, total price is 180, but paid 180.5',
      ],
      [
        { cabin: 'business', ...pay('credit_card_1', 1) },
        'payment amount does not add up, total price is 330.5, but paid 1',
      ],
    ]
    for (const [change, wanted] of refused) {
      assert.equal(call('book_reservation', booking(change)), `Error: ${wanted}`)
    }
    assert.equal(new DatabaseHash(TUPLES).of(data), before)
  })

  test('a cancellation records refunds, each time again', () => {
    const { call } = airline()
    const cancel = (): string => call('cancel_reservation', '{"reservation_id": "RES001"}')
    assert.match(
      cancel(),
      /"payment_history": \[\{"payment_id": "credit_card_1", "amount": 90\}, \{"payment_id": "credit_card_1", "amount": -90\}\].*"status": "cancelled"\}$/,
    )
    assert.match(cancel(), /"amount": 90\}, \{[^}]*-90\}, \{[^}]*-90\}, \{[^}]*90\}\]/)
    assert.equal(
      call('cancel_reservation', '{"reservation_id": "NO"}'),
      'Error: reservation not found',
    )
  })

  test('bags', () => {
    const bags = (nonfree: number, payment: string): readonly [string, string] => [
      'update_reservation_baggages',
      `{"reservation_id": "RES001", "total_baggages": 3, "nonfree_baggages": ${nonfree}, "payment_id": "${payment}"}`,
    ]
    inOrder([
      [...bags(1, 'nothing'), 'Error: payment method not found'],
      [...bags(0, 'certificate_1'), 'Error: certificate cannot be used to update reservation'],
      [...bags(2, 'gift_card_1'), 'Error: gift card balance is not enough'],
      [...bags(1, 'gift_card_1'), '{"reservation_id": "RES001"'],
      [
        'get_user_details',
        '{"user_id": "zoë_1"}',
        '{"name": {"first_name": "Zo\\u00eb", "last_name": "O\'Hara"}, "email": "zoe@example.org", "payment_methods": {"credit_card_1": {"source": "credit_card", "id": "credit_card_1"}, "gift_card_1": {"source": "gift_card", "amount": 10,',
      ],
      [
        bags(1, 'x')[0],
        '{"reservation_id": "NO", "total_baggages": 1, "nonfree_baggages": 0, "payment_id": "x"}',
        'Error: reservation not found',
      ],
    ])
  })

  test('changed flights: kept ones keep their price, the rest is charged or refunded', () => {
    const { call } = airline()
    const change = (cabin: string, payment_id: string, numbers = ['F1']): string =>
      call(
        'update_reservation_flights',
        JSON.stringify({
          reservation_id: 'RES001',
          cabin,
          payment_id,
          flights: numbers.map((flight_number) => ({ flight_number, date: '2024-05-20' })),
        }),
      )
    assert.match(
      change('economy', 'credit_card_1'),
      /"flights": \[\{"flight_number": "F1", "date": "2024-05-20", "price": 90, "origin": "SFO", "destination": "DEN"\}\].*"payment_history": \[\{"payment_id": "credit_card_1", "amount": 90\}\]/,
    )
    assert.equal(change('business', 'gift_card_1'), 'Error: gift card balance is not enough')
    assert.equal(
      change('business', 'certificate_1'),
      'Error: certificate cannot be used to update reservation',
    )
    assert.equal(change('economy', 'nothing'), 'Error: payment method not found')
    assert.equal(change('economy', 'credit_card_1', ['F7']), 'Error: flight F7 not found')
    assert.match(
      change('business', 'credit_card_1'),
      /"cabin": "economy".*"price": 250\.5.*"amount": 160\.5\}\]/,
    )
    assert.match(change('economy', 'gift_card_1', ['F2']), /"amount": -170\.5\}\]/)
  })

  test('passengers can be changed, but not their number', () => {
    const { call } = airline()
    const passengers = (list: string): string =>
      call('update_reservation_passengers', `{"reservation_id": "RES001", "passengers": ${list}}`)
    assert.equal(passengers('[]'), 'Error: number of passengers does not match')
    assert.match(
      passengers('[{"dob": "x", "first_name": "Bo"}]'),
      /"passengers": \[\{"dob": "x", "first_name": "Bo"\}\]/,
    )
  })

  test('certificates: three, with ids in order', () => {
    const certificate = ['send_certificate', '{"user_id": "bo_2", "amount": 50.0}'] as const
    inOrder([
      [...certificate, 'Certificate certificate_3221322 added to user bo_2 with amount 50.0.'],
      [...certificate, 'Certificate certificate_3221323 added'],
      [...certificate, 'Certificate certificate_3221324 added'],
      ['send_certificate', '{"user_id": "x", "amount": 1}', 'Error: user not found'],
    ])
  })

  test('wrong arguments and unknown tools', () => {
    inOrder([
      ['fly', '{}', 'Unknown action fly'],
      [
        'cancel_reservation',
        '{}',
        "Error: CancelReservation.invoke() missing 1 required positional argument: 'reservation_id'",
      ],
      [
        'cancel_reservation',
        '{"id": 1}',
        "Error: CancelReservation.invoke() got an unexpected keyword argument 'id'",
      ],
      [
        'search_direct_flight',
        '{"origin": "SFO"}',
        "Error: SearchDirectFlight.invoke() missing 2 required positional arguments: 'destination' and 'date'",
      ],
      [
        'search_direct_flight',
        '{}',
        "Error: SearchDirectFlight.invoke() missing 3 required positional arguments: 'origin', 'destination', and 'date'",
      ],
    ])
  })
})

suite('the hash of a database', () => {
  test('equals that of CPython for the same files', () => {
    const { data, call } = airline()
    const [tuples, json] = FORMULAS.map((formula) => new DatabaseHash(formula))
    assert.equal(
      tuples?.of(data),
      '6f1147c6e65b0075ee79feba4f2f46cf670a6126d8e407d0a48564be79348973',
    )
    assert.equal(json?.of(data), '40b2d0f453e675d155b52e8ade14fed4807e0b10258e8f895569779430dc9ffa')
    call('cancel_reservation', '{"reservation_id": "RES001"}')
    assert.notEqual(
      tuples?.of(data),
      '6f1147c6e65b0075ee79feba4f2f46cf670a6126d8e407d0a48564be79348973',
    )
  })
})
