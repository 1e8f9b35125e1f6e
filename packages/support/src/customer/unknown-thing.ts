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

/** A whole thing that was bought, unlike a part of one: "the watch I got", "my new keyboard", "the headphones you sent". */
const BOUGHT =
  /\b(?:the|an?|my|this|that|these|those) ([\p{L}-]+(?: [\p{L}-]+){0,2}?) (?:(?:that|which) )?(?:i|we|you|u)(?:'ve| have|ve)? (?:just |recently |finally )?(?:got|bought|ordered|received|purchased|sent|delivered|shipped)\b|\bmy (?:brand )?new ([\p{L}-]+(?: [\p{L}-]+)?)\b/giu

/** What came: a thing, or a part of one. */
const CAME =
  /^\W*(?:(?:hi|hello|hey|so|well|sorry|good \p{L}+)[\s,.!]+)*(?:my|the|our) ([\p{L}-]+(?: [\p{L}-]+)?) (?:(?:has |have |just |was |were |that )*(?:arrived|came|delivered|turned up|showed up))\b/giu

/** Parts of things, what they come in, and what or who else may be somebody's, be new, or have been sent. */
const PART =
  /^(?:straps?|bands?|buckles?|clasps?|screens?|displays?|glass|lids?|covers?|caps?|handles?|legs?|arms?|armrests?|wheels?|seats?|backs?|bases?|tops?|bottoms?|sides?|cords?|cables?|plugs?|chargers?|batter(?:y|ies)|buttons?|zips?|zippers?|seams?|sleeves?|collars?|poles?|pegs?|shades?|bulbs?|switch(?:es)?|pages?|spines?|covers?|pieces?|parts?|screws?|tools?|manuals?|instructions?|soles?|laces?|heels?|left|right|packag\p{L}*|wrapping|seals?|corners?|edges?|rims?|surfaces?|labels?|tags?|contents?|drivers?|couriers?|mail|confirmation|invoice|receipt|answers?|messages?|reply|gift|present|colou?rs?|sizes?|e-?mails?|sms|texts?|links?|codes?|numbers?|notifications?|info\p{L}*|address(?:es)?|streets?|dates?|days?|photos?|pictures?|offers?|discounts?|vouchers?|coupons?|notes?|letters?|persons?|people|colleagues?|guys?|man|woman|flat|apartment|house|home|place|job|office|accounts?|bank|password|tracking|status|eta|husband|wife|mother|mom|mum|father|dad|parents?|sons?|daughters?|kids?|child(?:ren)?|baby|friends?|girlfriend|boyfriend|partner|family|brother|sister|neighbou?rs?|boss|dog|cat|roommate|skin|hands?|feet|foot|head|problem|question|patience|favou?rite|fault|mistake|opinion)$/iu

/**
 * Whether a message names a thing as what a request is about. Where it is none of the customer's, no order may be
 * taken because it is the only one that fits.
 */
export const namesThing = (text: string): boolean =>
  [...text.matchAll(OBJECT)].some(([, said = '']) => isThing(said)) ||
  [...text.matchAll(BOUGHT)].some(([, said, more]) => isWhole(said ?? more ?? '')) ||
  [...text.matchAll(CAME)].some(([, said = '']) => isWhole(said))

/** "My sunglasses are scratched", where none of the orders is named: a thing of its own, and no part of what was bought. */
export const tellsOfOwn = (text: string): boolean =>
  !REFERS.test(text) && [...text.matchAll(MINE)].some(([, said = '']) => isWhole(said))

const MINE =
  /\b(?:my|our) ([\p{L}-]+(?: [\p{L}-]+)?) (?:is|are|was|were|has|have|does|do|did|isn'?t|aren'?t|doesn'?t|don'?t|didn'?t|won'?t|can'?t|stopped|broke|broken|leaks?|smells?|keeps?|fell|arrived|came)\b/giu

const REFERS = /\b(?:it|its|they|them|this|that|these|those|one|ones)\b/iu

const isWhole = (said: string): boolean => isThing(said) && !said.split(' ').some(isPart)

const isPart = (word: string): boolean => PART.test(word)

function isThing(said: string): boolean {
  const words = said.split(' ')
  const end = words.findIndex((word) => NAME_ENDS.has(word.toLowerCase()))
  const name = end < 0 ? words : words.slice(0, end)
  return name.length > 0 && !name.some((word) => ANY_THING.test(word))
}
