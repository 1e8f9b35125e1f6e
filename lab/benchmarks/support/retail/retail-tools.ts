import { dumps } from '../python/json.ts'
import { commonTools, shows } from '../tau/common-tools.ts'
import type { TauTool } from '../tau/tau-tool.ts'
import { deliveredOrderTools } from './delivered-order-tools.ts'
import { findTools } from './find-tools.ts'
import { pendingOrderTools } from './pending-order-tools.ts'
import { ADDRESS_PARAMETERS, addressOf } from './retail-parts.ts'

const modifyUserAddress: TauTool = {
  name: 'modify_user_address',
  description: 'Changes the address of a user.',
  parameters: { user_id: 'string', ...ADDRESS_PARAMETERS },
  acts: true,
  run(data, args) {
    const user = data.table('users').edit(args.get('user_id'))
    if (user === undefined) return 'Error: user not found'
    user.set('address', addressOf(args))
    return dumps(user)
  },
}

/** The 16 tools of the shop; they answer byte for byte as those of tau-bench do. */
export const retailTools: readonly TauTool[] = [
  ...commonTools,
  ...findTools,
  shows('get_order_details', { table: 'orders', key: 'order_id', missing: 'order not found' }),
  shows('get_product_details', {
    table: 'products',
    key: 'product_id',
    missing: 'product not found',
  }),
  shows('get_user_details', { table: 'users', key: 'user_id', missing: 'user not found' }),
  ...pendingOrderTools,
  ...deliveredOrderTools,
  modifyUserAddress,
]
