/**
 * The intents that the agent knows by name, since their answers, offers and questions depend on each other. The intents
 * that come along have each; where a shop's own have not, what is said here of it does not happen.
 */
export const REFUND = 'refund'
export const RETURN = 'return'
export const CANCEL = 'cancel'
export const CHANGE_ADDRESS = 'change_address'
/** Tells where an order goes. */
export const ORDER_ADDRESS = 'order_address'
/** Tells what was paid. */
export const ORDER_PAYMENT = 'order_payment'
/** Tells until when an order can be sent back. */
export const RETURN_DEADLINE = 'return_deadline'
export const INVOICE = 'invoice'
