import { dumps, sortedPairs } from '../python/json.ts'
import { at } from '../python/access.ts'
import { PyError, type PyValue } from '../python/value.ts'
import { str } from '../python/text.ts'
import type { TauTool } from '../tau/tau-tool.ts'

const NOT_FOUND = 'Error: user not found'

export const findTools: readonly TauTool[] = [
  {
    name: 'find_user_id_by_email',
    description: 'Finds the id of the user with an email address.',
    parameters: { email: 'string' },
    run(data, args) {
      const users = data.table('users').entries()
      const found = users.find(([, user]) => lower(at(user, 'email')) === lower(args.get('email')))
      return found?.[0] ?? NOT_FOUND
    },
  },
  {
    name: 'find_user_id_by_name_zip',
    description: 'Finds the id of the user with a name and a zip code.',
    parameters: { first_name: 'string', last_name: 'string', zip: 'string' },
    run(data, args) {
      const users = data.table('users').entries()
      const found = users.find(
        ([, user]) =>
          lower(at(at(user, 'name'), 'first_name')) === lower(args.get('first_name')) &&
          lower(at(at(user, 'name'), 'last_name')) === lower(args.get('last_name')) &&
          at(at(user, 'address'), 'zip') === args.get('zip'),
      )
      return found?.[0] ?? NOT_FOUND
    },
  },
  {
    name: 'list_all_product_types',
    description: 'Lists the names of all products with their ids.',
    parameters: {},
    run(data) {
      const products = data.table('products').entries()
      const ids = new Map<string, PyValue>(
        products.map(([, product]) => [str(at(product, 'name')), at(product, 'product_id')]),
      )
      return dumps(new Map(sortedPairs(ids)))
    },
  },
]

function lower(value: PyValue): string {
  if (typeof value === 'string') return value.toLowerCase()
  throw new PyError("object has no attribute 'lower'")
}
