/** Questions of the documents that a message stands for, whatever its words. */

/** What can be told to the driver. */
export const DRIVER = 'Delivery: Neighbors, signatures and notes for the driver'

/** On what the money comes back. */
export const MEANS = 'does the refund go back to my card'

/** A new thing in place of one that does not fit or please; or of one that is broken, or missing. */
export const newOneOf = (text: string): string =>
  SWAPS.test(text) ? 'Returns: Exchanges' : 'Returns: Replacements and missing parts'

const SWAPS =
  /\b(?:exchang\p{L}*|swap\p{L}*|trade|sizes?|colou?rs?|bigger|smaller|larger|medium|small|large|xs|xl|xxl)\b|\b(?:an?|the|in) [1-5]?\d(?:\.5)?\b/iu

/** A parcel that is under way. */
export const STOP_PARCEL = 'Delivery: Stopping a parcel'

/** What a return costs, and with what label it is sent. */
export const LABEL = 'Returns: Does a return cost anything?'

/** Where the label of a return is. */
export const NO_LABEL = 'Returns: If no label came'

/** The money of a cancelled order. */
export const CANCELLED_MONEY = 'what happens with my money if I cancel'

/** What cancelling costs. */
export const CANCEL_FEE = 'Cancelling an order: Is there a cancellation fee?'

/** What it costs to have something sent. */
export const DELIVERY_COST = 'Delivery: What does delivery cost?'

/** When a person answers. */
export const HOURS = 'when does a colleague answer'

/** In what state a thing is sent back. */
export const PACKAGING = 'Returns: Condition and packaging'

/** What a refund and a return do. */
export const WHICH_REMEDY = 'refund or return, which is better'

/** How a parcel comes. */
export const PICK_UP = 'Delivery: How is it delivered?'

/** How something is ordered. */
export const NEW_ORDER = 'Reaching us: Placing an order'
