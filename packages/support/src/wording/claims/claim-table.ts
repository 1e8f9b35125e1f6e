import type { Json } from 'echelon/runtime'
import { plain, type Known, type Thing } from './evidence.ts'

/** The subject of a clause. */
export type Topic = 'delivery' | 'refund' | 'return' | 'cancellation'

/** A claim that an answer may make, with its wordings. */
export interface Claim {
  readonly name: string
  /** Only for clauses about one of these; for any if omitted. */
  readonly topics?: readonly Topic[]
  readonly said: RegExp
  /** Whether it is true of a thing; omitted for a claim that no data can support. */
  readonly isTrue?: (thing: Thing, known: Known) => boolean
}

const is =
  (...statuses: readonly string[]) =>
  ({ status }: Thing): boolean =>
    statuses.includes(status)

const has = ({ fields }: Thing, key: RegExp): boolean =>
  Object.entries(fields).some(([name, value]) => key.test(name) && isThere(value))

const isThere = (value: Json): boolean => value !== null && value !== '' && value !== 0

const amount = ({ fields }: Thing, name: string): number => {
  const value = fields[name]
  return typeof value === 'number' ? value : 0
}

const isDelivered = (thing: Thing): boolean =>
  is('delivered', 'return started', 'returned')(thing) || has(thing, /^delivered_at$/i)
const isMoving = is('shipped', 'in transit', 'delayed', 'out for delivery')
const isShipped = (thing: Thing): boolean =>
  isMoving(thing) || isDelivered(thing) || has(thing, /^shipped_at$/i)
const isRefunded = (thing: Thing): boolean =>
  is('refunded')(thing) || has(thing, /^(?:refund_amount|refunded_at|last_refund)$/i)
const isRefundedWhole = (thing: Thing): boolean =>
  is('refunded')(thing) ||
  (amount(thing, 'refund_amount') > 0 && amount(thing, 'refund_amount') >= amount(thing, 'amount'))
const isCancelled = (thing: Thing): boolean =>
  is('cancelled', 'canceled')(thing) || has(thing, /^cancell?ed_at$/i)
const isReturning = (thing: Thing): boolean =>
  is('return started', 'returned')(thing) || has(thing, /^return_started_at$/i)
/** Whether it is still to come: a refunded order has no delivery day. */
const isExpected = (thing: Thing): boolean =>
  has(thing, /(?:^|_)(?:eta|expected|estimated|due)(?:$|_)|^delivery_date$/i) &&
  !is('delivered', 'return started', 'returned', 'refunded', 'cancelled', 'canceled')(thing)

const MADE =
  'refund(?:ed|s)?|reimbursed?|money back|issued?|approved|processed|process|requested|submitted|initiated|started|confirmed|registered|made|done|complete[d]?|finali[sz]ed|sent|on (?:its|the|their) way|under ?way|given|granted|went through|gone through|in place|set up|being (?:made|sent|processed)|coming'

/**
 * The known claims. A word in none of these rows that "be" or "have" turns into a state is looked up as it is
 * (`unsupported-claims.ts`).
 */
export const CLAIMS: readonly Claim[] = [
  // Claims about the present.
  {
    name: 'delivered',
    topics: ['delivery'],
    said: /\b(?:delivered|arrived|dropped off|handed (?:over )?to (?:you|a)|reached (?:you|its destination)|(?:at|in|by|on) your (?:door|doorstep|porch|hands|home|mailbox|reception)|(?:you|was|been) (?:have |has )?(?:got|gotten|received|signed for)|signed for|delivery (?:is|was|has been) (?:complete|successful|made|done)|collected|picked up|you (?:already |now |finally )*(?:have|had|hold|own) (?:your|the|it))\b/,
    isTrue: isDelivered,
  },
  {
    name: 'shipped',
    topics: ['delivery'],
    said: /\b(?:shipped|dispatched|despatched|posted|mailed|sent(?! to)|sent out|(?:has )?left (?:our|the)|with the (?:carrier|courier)|handed to the)\b/,
    isTrue: isShipped,
  },
  {
    name: 'moving',
    topics: ['delivery'],
    said: /\b(?:on (?:its|the|their) way|in transit|under ?way|en route|travel(?:l)?ing|moving|carrying|carries|carried by|transporting|headed (?:to|for|your)|heading (?:to|for|your))\b/,
    isTrue: isMoving,
  },
  {
    name: 'out',
    said: /\b(?:out for delivery|with the driver|round the corner|around the corner|nearby|almost there)\b/,
    isTrue: is('out for delivery'),
  },
  {
    name: 'prepared',
    topics: ['delivery'],
    said: /\b(?:being (?:prepared|processed|packed|readied|handled|worked on)|processing|(?:is |are )?preparing|in preparation|getting (?:it |your order )?ready|packing)\b/,
    isTrue: is('processing', 'pending'),
  },
  {
    name: 'packed',
    said: /\b(?:packed(?<!being packed)|ready (?:to ship|for (?:shipping|dispatch|pick-?up|collection)))\b/,
  },
  {
    name: 'delayed',
    topics: ['delivery'],
    said: /\b(?:delayed|delays?|late|later than|behind schedule|held up|overdue|postponed|longer than)\b/,
    isTrue: is('delayed'),
  },
  {
    name: 'in time',
    said: /\b(?:on time|on schedule|on track|as (?:planned|expected|scheduled)|ahead of|early|earlier)\b/,
  },
  {
    name: 'in full',
    said: /\b(?:in full|in its entirety|fully|full (?:refund|amount|price|payment|sum)|whole (?:amount|order|price|sum|payment)|entire (?:amount|order|price|sum|payment)|complete (?:refund|amount)|completely refunded|total refund|all (?:of )?(?:your|the) money|everything (?:back|was refunded|you paid))\b/,
    isTrue: isRefundedWhole,
  },
  {
    name: 'in part',
    said: /\b(?:partial(?:ly)?|in part|partly|part of (?:it|the|your))\b/,
    isTrue: (thing) => isRefunded(thing) && !isRefundedWhole(thing),
  },
  {
    name: 'paid out',
    topics: ['refund'],
    said: /\b(?:paid out|in your (?:account|bank|wallet)|on your (?:card|account|statement)|to your (?:card|account|bank|original|paypal)|original (?:payment|form)|arrived|received|credited|landed|deposited|transferred|reached|cleared|posted)\b/,
  },
  {
    name: 'account',
    said: /\b(?:in|on|to|into|from) your (?:\w+ )?(?:account|bank|wallet|card|statement|paypal|balance)\b/,
  },
  {
    name: 'refunded',
    said: /\b(?:refunded|reimbursed|repaid|paid back|money back|given (?:you )?(?:your|the) money)\b/,
    isTrue: isRefunded,
  },
  { name: 'refund', topics: ['refund'], said: new RegExp(`\\b(?:${MADE})\\b`), isTrue: isRefunded },
  {
    name: 'canceled',
    said: /\b(?:cancell?ed|called off|voided|annulled|withdrawn|stopped)\b/,
    isTrue: isCancelled,
  },
  {
    name: 'cancellation',
    topics: ['cancellation'],
    said: new RegExp(`\\b(?:${MADE}|cancellation)\\b`),
    isTrue: isCancelled,
  },
  {
    name: 'returned',
    said: /\b(?:returned|sent back|came back|come back)\b/,
    isTrue: is('returned'),
  },
  {
    name: 'return',
    topics: ['return'],
    said: new RegExp(`\\b(?:${MADE}|open|active)\\b`),
    isTrue: isReturning,
  },
  {
    name: 'return received',
    topics: ['return'],
    said: /\b(?:received|arrived|inspected|accepted|picked up|collected|free|prepaid)\b/,
  },

  {
    name: 'label',
    said: /\b(?:labels?|qr codes?)\b/,
    isTrue: (thing) => has(thing, /label|qr/i),
  },

  // Claims about the future.
  {
    name: 'arrival',
    topics: ['delivery'],
    said: /\b(?:expected|estimated|due|scheduled|eta|arriv(?:es|e|ing|al)|comes|coming|(?:will|should|to|'ll|can|may|might) (?:be (?:there|with you|delivered|here)|arrive|come|reach|get to|land)|deliver(?:s|y date|ing)|(?:will|should|'ll|can) (?:receive|have|get|see|expect)|expect|look(?:ing)? forward|new date)\b/,
    isTrue: isExpected,
  },
  {
    name: 'payment to come',
    topics: ['refund'],
    said: /\b(?:will|should|'ll) (?:receive|have|get)\b/,
    isTrue: isRefunded,
  },
  {
    name: 'day of payment',
    topics: ['refund'],
    said: /\b(?:arriv\w+|appear\w*|show\w*|reach\w*|expect\w*|due|takes?|see)\b/,
  },
  {
    name: 'oddity',
    said: /\b(?:twice|double|again|interest|nothing to pay|owe\w*|(?:get|have|got) (?:it|your|the) (?:\S+ )?back)\b/,
  },
  { name: 'charge', said: /\b(?:be|being|been|get|not) (?:charged|billed)\b/ },
  {
    name: 'place',
    said: /\b(?:(?:at|in|from|near|through|into|reached|entered) (?:the|a|an|our|your|its) (?:\w+ ){0,2}(?:depot|hub|warehouse(?<!left (?:our|the) warehouse)|facility|cent(?:er|re)|office|store|locker|city|country|area|airport|port|truck|van|neighbou?r\w*|point|station|door))\b/,
  },
  {
    name: 'soon',
    said: /\b(?:soon|shortly|any (?:day|moment|minute|time) now|any (?:day|moment|minute)|in no time|immediately|instantly|right away|straight ?away|at once|momentarily|promptly|within|in the next|in a (?:few|couple|moment|while|bit)|(?:a )?few|overnight|asap|as soon as|quickly|fast|by the end|later(?! than)|before long|next)\b/,
  },
  {
    name: 'guarantee',
    said: /\b(?:guarante\w+|promis\w+|assure\w*|rest assured|definitely|without fail|for sure|make sure|made sure|making sure|ensur\w+|no doubt|undoubtedly|certain to|surely|always|100 ?%|count on|word of honou?r|no (?:worries|problem) about)\b/,
  },
  {
    name: 'more than asked for',
    said: /\b(?:compensat\w+|vouchers?|coupons?|store credit|credit|gift ?cards?|bonus|discount\w*|free|no (?:extra )?(?:cost|charge|fee)|at no|waiv\w+|on the house|replac\w+|exchang\w+|resen[dt]\w*|reship\w*|upgrad\w+|expedit\w+|priorit\w+|express|extra|goodwill|points|reward\w*|insur\w+|cover(?:ed|s)?|refundable|warrant\w+|on us|on our bill|another|second|one more|spare|an? (?:brand[ -])?new (?!address|date|day|delivery|estimate|eta|label|ticket|time)\w+)\b/,
  },
  {
    name: 'right',
    said: /\b(?:eligible|entitled|qualif\w+|you (?:can|may|could|might) (?:still |also |now |always |even )?(?:return|cancel|refund|get|keep|claim|exchange|change|have|request|choose|swap|send|pick)|allowed to|your right|option to|policy|terms|possible to)\b/,
  },
  {
    name: 'mishap',
    said: /\b(?:lost|stolen|missing|damaged|broken|stuck|customs|seized|misplaced|destroyed|undeliverable|wrong|failed|refused|rejected|declined|denied|error|mistake|weather|strike|out of stock|back-?ordered|sold out|unavailable|on hold)\b/,
  },
  {
    name: 'person',
    said: /\b(?:escalat\w+|supervisor|manager|colleagues?|specialist|representative|human|team|department|ticket|case|someone|somebody|(?:a|an|our|another) agent|technician)\b/,
    isTrue: (_, { done, result }) =>
      done.has('hand') || JSON.stringify(result).includes('"ticket"'),
  },
  {
    name: 'invoice',
    said: /\b(?:receipt|invoice|bill)\b/,
    isTrue: (_, { done }) => done.has('invoice'),
  },
  {
    name: 'message',
    said: /\b(?:e-?mail(?:ed|s)?|inbox|text(?:ed| message)|sms|call(?:ed)? you|phone(?:d)?|notif\w+|confirmation|letter|updates? (?:you|by|via|on)|keep you (?:posted|updated|informed)|let you know|inform\w*|contact you|reach out|get back to you|follow up|in touch|monitor\w*|keep an eye)\b/,
  },
  {
    name: 'address',
    said: /\b(?:(?:new|delivery|shipping|updated|different) address|address (?:is|was|has|will)|(?:will be|is being|to be) (?:sent|shipped|delivered|redirected|going) to|send (?:it|them|your order|[\w-]*\d) to|redirect\w*|reroute\w*|go(?:es|ing)? to)\b/,
    isTrue: (thing, { done }) => done.has('address') || has(thing, /^address$/i),
  },
]

/** Words after "be" that claim nothing, or only what the figures beside them claim. */
export const NEUTRAL: ReadonlySet<string> = new Set(
  `placed ordered bought purchased paid listed shown noted recorded marked displayed included contained attached
  called named said asked looked checked found seen given associated linked connected needed pleased excited
  delighted concerned frustrated appreciated related provided supposed based stated mentioned labeled labelled dated
  set made been had done going known valued described tracked assigned addressed used reported indicated
  understood updated required left taken planned able about afraid all also always an and any anything as available
  aware below by certain correct currently everything for from getting glad good great happy here how in inconvenient
  indeed just like more my new nice no not nothing now of on one only our out part right so some something sorry still
  sure that the their there these they this those to too under unfortunate up valid very via welcome what when
  where which who why wonderful with worth you your being as at between both clear important because running
  our us me possible red need indeed hundred until already yet order orders`.split(/\s+/),
)

/** Whether the word is the thing's own status. */
export const isCalled = ({ status }: Thing, word: string): boolean =>
  plain(status).split(' ').includes(word)

/** Verbs that may follow "I" or "we" without a tool. */
export const OWN_VERBS: ReadonlySet<string> = new Set(
  `am are was were have had do did be been see saw seen check checked look looked looking find found hope understand
  understood apologize apologise apologizing apologising know knew appreciate thank wish show showing shows can
  could would may might not sorry glad happy pleased afraid help helping helped assist here also just already now
  only really do don't cannot can't unable confirm confirmed say tell share read reviewed review need like want
  believe think got get pulled still went will would`.split(/\s+/),
)
