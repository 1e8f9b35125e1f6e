import { parsePython } from '../python/json.ts'
import { type Dict, isDict } from '../python/value.ts'
import { type BaseTables, TauData } from './tau-data.ts'
import { invokeByName, type TauTool } from './tau-tool.ts'

/** The text of a made-up airline: three flights, two users, one reservation of each kind. */
export const AIRLINE_FILES: Readonly<Record<string, string>> = {
  flights: `{
    "F1": {"flight_number": "F1", "origin": "SFO", "destination": "DEN",
      "scheduled_departure_time_est": "08:00:00", "scheduled_arrival_time_est": "10:00:00",
      "dates": {
        "2024-05-20": {"status": "available", "available_seats": {"economy": 2, "business": 1}, "prices": {"economy": 100, "business": 250.5}},
        "2024-05-21": {"status": "delayed"}}},
    "F2": {"flight_number": "F2", "origin": "DEN", "destination": "JFK",
      "scheduled_departure_time_est": "11:00:00", "scheduled_arrival_time_est": "16:00:00",
      "dates": {
        "2024-05-20": {"status": "available", "available_seats": {"economy": 9, "business": 9}, "prices": {"economy": 80, "business": 300}}}},
    "F3": {"flight_number": "F3", "origin": "SFO", "destination": "DEN",
      "scheduled_departure_time_est": "23:00:00", "scheduled_arrival_time_est": "01:00:00+1",
      "dates": {
        "2024-05-19": {"status": "available", "available_seats": {"economy": 5, "business": 5}, "prices": {"economy": 70, "business": 200}}}}
  }`,
  reservations: `{
    "RES001": {"reservation_id": "RES001", "user_id": "zo\\u00eb_1", "origin": "SFO", "destination": "DEN",
      "flight_type": "one_way", "cabin": "economy",
      "flights": [{"origin": "SFO", "destination": "DEN", "flight_number": "F1", "date": "2024-05-20", "price": 90}],
      "passengers": [{"first_name": "Zo\\u00eb", "last_name": "O'Hara", "dob": "1990-01-01"}],
      "payment_history": [{"payment_id": "credit_card_1", "amount": 90}],
      "created_at": "2024-05-01T00:00:00", "total_baggages": 1, "nonfree_baggages": 0, "insurance": "no"}
  }`,
  users: `{
    "zo\\u00eb_1": {"name": {"first_name": "Zo\\u00eb", "last_name": "O'Hara"}, "email": "zoe@example.org",
      "payment_methods": {
        "credit_card_1": {"source": "credit_card", "id": "credit_card_1"},
        "gift_card_1": {"source": "gift_card", "amount": 60, "id": "gift_card_1"},
        "certificate_1": {"source": "certificate", "amount": 250.0, "id": "certificate_1"}},
      "reservations": ["RES001"]},
    "bo_2": {"name": {"first_name": "Bo", "last_name": "Li"}, "email": "bo@example.org",
      "payment_methods": {}, "reservations": []}
  }`,
}

/** The text of a made-up shop: one product with three variants, two users, an order in each state. */
export const RETAIL_FILES: Readonly<Record<string, string>> = {
  products: `{
    "9001": {"name": "Mug", "product_id": "9001", "variants": {
      "20": {"item_id": "20", "options": {"color": "red"}, "available": true, "price": 10.1},
      "3": {"item_id": "3", "options": {"color": "blue"}, "available": true, "price": 12.42},
      "100": {"item_id": "100", "options": {"color": "green"}, "available": false, "price": 9}}},
    "8001": {"name": "Lamp", "product_id": "8001", "variants": {}}
  }`,
  orders: `{
    "#W1": {"order_id": "#W1", "user_id": "ann_1", "address": {"zip": "10001"},
      "items": [{"name": "Mug", "product_id": "9001", "item_id": "20", "price": 10.1, "options": {"color": "red"}}],
      "status": "pending", "payment_history": [{"transaction_type": "payment", "amount": 10.1, "payment_method_id": "gift_card_1"}]},
    "#W2": {"order_id": "#W2", "user_id": "ann_1", "address": {"zip": "10001"},
      "items": [{"name": "Mug", "product_id": "9001", "item_id": "20", "price": 10.1, "options": {"color": "red"}},
                {"name": "Mug", "product_id": "9001", "item_id": "3", "price": 12.42, "options": {"color": "blue"}}],
      "status": "delivered", "payment_history": [{"transaction_type": "payment", "amount": 22.52, "payment_method_id": "paypal_1"}]}
  }`,
  users: `{
    "ann_1": {"name": {"first_name": "Ann", "last_name": "Berg"}, "email": "Ann.Berg@example.org",
      "address": {"address1": "1 Main St", "address2": "", "city": "Town", "country": "USA", "state": "NY", "zip": "10001"},
      "payment_methods": {
        "paypal_1": {"source": "paypal", "id": "paypal_1"},
        "credit_card_1": {"source": "credit_card", "id": "credit_card_1"},
        "gift_card_1": {"source": "gift_card", "balance": 2, "id": "gift_card_1"}},
      "orders": ["#W1", "#W2"]},
    "bob_2": {"name": {"first_name": "Bob", "last_name": "Coe"}, "email": "bob@example.org",
      "address": {"zip": "20002"}, "payment_methods": {}, "orders": []}
  }`,
}

function tablesOf(files: Readonly<Record<string, string>>): BaseTables {
  return new Map(
    Object.entries(files).map(([name, text]) => [
      name,
      new Map([...dict(text)].flatMap(([id, record]) => (isDict(record) ? [[id, record]] : []))),
    ]),
  )
}

/** JSON text as Python reads it, of an object. */
function dict(text: string): Dict {
  const parsed = parsePython(text)
  if (isDict(parsed)) return parsed
  throw new Error('the text is no JSON object')
}

/** A database with a function that calls its tools by JSON text. */
export function called(
  tools: readonly TauTool[],
  files: Readonly<Record<string, string>>,
): { readonly data: TauData; readonly call: (name: string, args?: string) => string } {
  const data = new TauData(tablesOf(files))
  return {
    data,
    call: (name, args = '{}') => invokeByName(tools, data, { name, args: dict(args) }),
  }
}
