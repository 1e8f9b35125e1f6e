import type { ParamSpec } from '../intent.ts'

/** Whether a parameter takes plain numbers, such as an amount, whose neighboring text can change its meaning. */
export const isNumber = ({ pattern, values }: ParamSpec): boolean =>
  pattern !== null &&
  Object.keys(values).length === 0 &&
  ['5', '50', '500', '5.50', '5.5', '$5'].some((one) =>
    new RegExp(`^(?:${pattern})$`, 'iu').test(one),
  )

const CLOSE = 24

/** Whether a range of a text is a complete value: the 5 in ".5", "-5", "5%" and "5 or 6" was not stated. */
export function isWhole(text: string, from: number, to: number, spec: ParamSpec): boolean {
  const before = text.slice(Math.max(0, from - CLOSE), from)
  const after = text.slice(to, to + CLOSE)
  if (GLUED_BEFORE.test(before) || GLUED_AFTER.test(after)) return false
  if (!/^\p{N}/u.test(text.slice(from, to))) return !isNumber(spec) || !MORE_AFTER.test(after)
  if (SIGN_BEFORE.test(before) || DIGITS_AFTER.test(after)) return false
  if (!isNumber(spec)) return true
  if (isAmount(spec) && !isOfMoney(text, from, to)) return false
  return !(
    MORE_BEFORE.test(before) ||
    MORE_AFTER.test(after) ||
    isForeign(before, after, spec) ||
    (/\(\s*[$€£]?$/u.test(before) && /^\s*\)/.test(after))
  )
}

/** Whether a parameter takes amounts of money, which have decimals. */
const isAmount = ({ pattern }: ParamSpec): boolean =>
  pattern !== null && new RegExp(`^(?:${pattern})$`, 'iu').test('5.50')

/** Whether a number is an amount: with a currency or cents, alone, or behind a word for giving money. */
function isOfMoney(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(0, from - CLOSE), from)
  const after = text.slice(to, to + CLOSE)
  if (
    /[$€£]/u.test(text.slice(Math.max(0, from - 2), to)) ||
    /^\s?(?:[$€£]|dollars?|bucks?|usd|back\b)/iu.test(after)
  )
    return true
  if (isPiece(before, text.slice(from, to), after)) return false
  const isListed = /(?<![\d-])\d{1,4}\s?,\s*$/u.test(before) || /^\s?,\s*\d/u.test(after)
  if (COUNTS.test(after) || isListed) return false
  const isAlone = (text.match(/[\p{L}\p{N}]+/gu) ?? []).length <= 3
  return isAlone || /\.\d/u.test(text.slice(from, to)) || GIVES.test(before)
}

/** "I paid for 2", "only 1 in the box": a small number without a currency counts what was bought, or has come. */
const isPiece = (before: string, number: string, after: string): boolean =>
  /^\d{1,2}$/u.test(number) && (BOUGHT.test(before) || HAS_COME.test(after))

const BOUGHT =
  /\b(?:(?:paid|paying|pay|charged|billed|invoiced) (?:me )?for|ordered|bought|received|there (?:is|are|was|were)|there'?s)(?: (?:only|just))?\s+$/iu
const HAS_COME =
  /^\s(?:(?:is|are|was|were) (?:in(?:side)?|missing|there|delivered|broken)|in (?:there|here|it|(?:the|my) (?:box|package|parcel|bag|envelope|delivery|order))|inside|came|arrived|got here|showed up|turned up|missing)\b/iu

/** Words that an amount follows. */
const GIVES =
  /\b(?:refund\p{L}*|reimburs\p{L}*|rebat\p{L}*|restitution|compensat\p{L}*|give|pay|only|just|it|say|amount|total|sum|is|be|want|need|get|claim\p{L}*|request\p{L}*|back|about|for|missing|to|another|further|additional|extra|rather|no|sorry|actually|meant?|said)(?: (?:of|me|us|back|only|just|about|to|is|it|exactly))*\s+["'“‘(]*$/iu

/** A number that counts what follows, and so is not an amount: "2 mug things", "one of the 2 mugs". */
const COUNTS =
  /^\s?(?!(?:dollars?|bucks?|usd|eur|euros?|pounds?|back|of|for|on|off|is|was|would|please|pls|plz|and|then|instead|from|only|or|to|now|because|since|as|but|at|in|with|it|that|which|thanks?|will|should|seems|sounds|more|less|total|altogether|each|credit|refund|compensation|worth|extra|straight|right|asap|today|if|so)\b)\p{L}{2,}/iu

/** Part of an address, a path or a longer name. */
const GLUED_BEFORE = /(?:[\p{L}\p{N}][@\\/._+~&%*]|\p{N}=)$/u
const GLUED_AFTER = /^(?:[@\\/_+~&%*=][\p{L}\p{N}]|[.:]\p{N}|\.\p{L})/u
const SIGN_BEFORE = /(?:[.,'+±~^*×÷<>≤≥]|[-\u2044]\s?|\p{N}:)[$€£¥₹]?$/u
const DIGITS_AFTER = /^(?:[.,':\u2044^]\p{N}|-)/u

/** Words that change a number: "minus 5", "at most 5", "1 000", "between 4 and 5". */
const MORE_BEFORE =
  /(?:\p{N}\s|\b(?:minus|negative|than|least|most|about|around|roughly|approximately|nearly|almost|between|or|over|under|up to|half of)\s+[$€£¥₹]?|\p{N}\s?(?:-|to|and|through|\.\.)\s?[$€£¥₹]?)$/iu
const MORE_AFTER =
  /^\s?(?:\p{N}|[%‰¢⁄×^]|(?:[-~/*+:]|\.{2,}|…|to|or|and|through|till)\s?[$€£¥₹]?\p{N}|(?:per\s?cent|cents?|percent\w*|hundred|thousand|million|billion|grand|dozen|[km]|bn|times|x|pct|pence|and a half|or so|or more|or less|seconds?|minutes?|hours?|days?|weeks?|months?|years?|[ap]m|st|nd|rd|th|items?|things?|pairs?|pieces?|units?|packs?|copies|watts?|volts?|w|ml|l|lit(?:er|re)s?|cm|mm|inch(?:es)?|kg|g|oz|lbs?|gb|miles?|people|persons?)\b)/iu

/** A currency that differs from that of the pattern and the label, which mean dollars by default. */
function isForeign(before: string, after: string, { pattern, label }: ParamSpec): boolean {
  const own = `${pattern ?? ''} ${label}`.toLowerCase()
  const said = CURRENCY_BEFORE.exec(before)?.[1] ?? CURRENCY_AFTER.exec(after)?.[1]
  if (said === undefined) return false
  const isOwn = own.includes(said.toLowerCase())
  return !isOwn && (!/^(?:\$|usd|dollars?|bucks?)$/i.test(said) || /[€£¥₹]|eur|gbp|yen/.test(own))
}

const CURRENCIES =
  '[$€£¥₹]|usd|eur|gbp|jpy|inr|cad|aud|chf|cny|dollars?|bucks?|euros?|pounds?|yen|rupees?|francs?'
const CURRENCY_BEFORE = new RegExp(`(${CURRENCIES})\\s?$`, 'iu')
const CURRENCY_AFTER = new RegExp(`^\\s?(${CURRENCIES})(?!\\p{L})`, 'iu')

/** A number as people type it, whole or not; excludes counts of days, and digits within a name. */
const ANY_NUMBER =
  /(?<![\p{L}\p{N}#]|[\p{L}\p{N}][-_])\p{Nd}[\p{N}.,]*(?!\p{N})(?!\s?(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|[ap]m|st|nd|rd|th|watts?|volts?|w|ml|l|lit(?:er|re)s?|cm|mm|inch(?:es)?|kg|g|oz|lbs?|gb|miles?)\b)(?!-\p{L})/iu

/** A number in words, or a fraction of one. */
const IN_WORDS =
  /\b(?:(?<!\bin )half|a third|a quarter|partial(?:ly)?|part of|some of|per\s?cent|nan|infinity|(?:refund|back|only|just|amount|of|pay|me|for)\s+(?:me\s+)?(?:only\s+|just\s+|about\s+)?(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|a hundred|hundred|a thousand|a dozen)(?!\s+(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|times|people|of (?:them|these|those|the))\b)|(?:one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty|hundred|thousand)\s+(?:dollars?|bucks?|euros?|pounds?|cents?|quid))\b|[\u2044一二三四五六七八九十百千万零〇两]/iu

const withoutCounts = (text: string): string =>
  text.replaceAll(
    /(?<![\p{Nd}.,/:$€£-])\p{Nd}{1,4}(?![\p{L}\p{Nd}/:%-]|[.,]\p{Nd})/gu,
    (number, at: number) => {
      const end = at + number.length
      const [before, after] = [
        text.slice(Math.max(0, at - CLOSE), at),
        // Words that are values themselves are left blank.
        text.slice(end, end + CLOSE).replace(/^\s+/u, ' '),
      ]
      const isPieces = PIECES.test(after) && OWNS.test(before)
      const isUnit = !isPieces && (MORE_AFTER.test(after) || CURRENCY_AFTER.test(after))
      const isGiven = GIVES.test(before) && !isPieces
      const isCount = /^\s/u.test(after) && COUNTS.test(after) && !isGiven && !isUnit
      return isCount || isPiece(before, number, after) || ORDINAL.test(before) ? '' : number
    },
  )

/** Pieces that were bought: "I ordered 2 copies", "of the 3 packs one is open". */
const PIECES = /^\s(?:items?|things?|pairs?|pieces?|units?|packs?|copies|sets|boxes)\b/iu
const OWNS =
  /\b(?:ordered|bought|purchased|got|received|have|had|were|are|of (?:the|my|these|those)|the|my|those|these)(?: (?:just|only|about))?\s+$/iu

/** Words whose number counts or names: "day 2", "size 42", "Oct 24". */
const ORDINAL =
  /\b(?:jan(?:uary)?|feb(?:ruary)?|march|april?|(?<!\p{L} )may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|days?|weeks?|months?|size|number|nr|step|apt|apartment|unit|floor|room|page|pack|box|item|option|point|version|part|level|after|within|since|aged?)\s+$/iu

/**
 * Whether a text gives an invalid value for a parameter, so that it must be asked for.
 * @param text without the mentions of other parameters
 */
export function hintsAt(text: string, spec: ParamSpec): boolean {
  if (spec.pattern === null || Object.keys(spec.values).length > 0 || spec.wholeAnswer) return false
  if (isNumber(spec)) {
    const numbers = isAmount(spec) ? withoutCounts(text) : text
    return ANY_NUMBER.test(numbers) || IN_WORDS.test(text)
  }
  return new RegExp(spec.pattern, 'iu').test(text)
}
