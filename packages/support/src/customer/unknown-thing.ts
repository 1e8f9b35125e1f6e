/** What is asked to be sent or paid back, changed or called off: "return the purple dragon that I bought". */
const OBJECT =
  /\b(?:return|refund|cancel|exchange|replace|send back|give back|money back for)(?:ing)? (?:for )?(?:my|the|an?|this|that|these|those) ([\p{L}-]+(?: [\p{L}-]+){0,3})/giu

/** Where the name of a thing ends. */
const NAME_ENDS = new Set(
  'i we you it he she they that which who because since as from in on at of for with to and or but if so please now today yesterday still only is was are were has have had will would can could did does do me us him her them back again instead before after without'.split(
    ' ',
  ),
)

/** Words by which no thing of an order is told from another. */
const ANY_THING =
  /^(?:orders?|purchases?|packages?|parcels?|box(?:es)?|shipments?|shipping|postage|deliver(?:y|ies)|items?|things?|stuff|ones?|products?|goods|articles?|money|amounts?|price|costs?|fees?|charges?|payments?|difference|rest|half|others?|lot|returns?|refunds?|cancell?ations?|exchanges?|requests?|same|whole|entire|everything|all|both|full|cash|voucher|last|latest|first|second|newest|oldest|recent|wrong|broken|damaged|new|old|remaining|cheaper|pair|set)$/iu

/**
 * Whether a message names a thing as what a request is about. Where it is none of the customer's, no order may be
 * taken because it is the only one that fits.
 */
export const namesThing = (text: string): boolean =>
  [...text.matchAll(OBJECT)].some(([, said = '']) => {
    const words = said.split(' ')
    const end = words.findIndex((word) => NAME_ENDS.has(word.toLowerCase()))
    const name = end < 0 ? words : words.slice(0, end)
    return name.length > 0 && !name.some((word) => ANY_THING.test(word))
  })
