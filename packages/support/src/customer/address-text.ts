import { recipientAround } from './recipient.ts'

/** Text that may follow an address without being part of it: a remark of the customer's, or the value that it replaces. */
const ASIDE =
  /[\s,.;!?-]+(?:(?:(?:i|we)(?:'(?:m|ll|ve|re|d)| (?:am|are|was|were|will|have|need|want))|im|while (?:i|we)|not \d+|(?<=[.!?;]\s)(?:that|this|it|they|could|can|would|do|does|my|the|so|and|it's|that's))\b|[?!]).*$/isu

/** Text that may follow a free value, such as an address, without being part of it. */
const BEHIND =
  /[\s,.;]+(?:rather than|instead of|and not|not (?:to|my|the|at)|because|if (?:possible|you)|as soon as|from now on|so that|since|until|for (?:this|that|my|the) (?:order|one)|this time|(?:is|are) (?:that|it) (?:ok|possible|okay)|thank|thanks|please|pls|thx)\b.*$/isu

/** Text that may precede an address without being part of it: "my home at". */
const BEFORE =
  /^\s*(?:my|our|the) (?:(?:new|own|old) )?\p{L}+(?:'s)?(?: \p{L}+)?(?:\s+(?:at|on|in|is)\s+|\s*[,:]\s*)(?=\d)/iu

const YES =
  "(?:yes|yeah|yep|yup|ok|okay|right|correct|exactly|sure|please|(?:that'?s|that is|it'?s|it is) (?:right|correct|it|the one)|(?:is|would be) (?:right|correct|fine|good|great|perfect))"
/** A yes before or behind an address. */
const YES_BEFORE = new RegExp(
  `^\\W*(?:(?:yes|yeah|yep|yup|ok|okay)[\\s,.!:-]+|${YES}[,.!:-]+\\s*)+(?=\\S)`,
  'iu',
)
const YES_BEHIND = new RegExp(`(?:[\\s,.!-]+${YES})+\\W*$`, 'iu')

/** An address without what is said around it. */
export const withoutAround = (text: string): string =>
  alone(
    text
      .replace(YES_BEFORE, '')
      .replace(BEFORE, '')
      .replace(BEHIND, '')
      .replace(ASIDE, '')
      .replace(YES_BEHIND, ''),
  )

/**
 * "No, just 8 Elm Court, Omaha, NE 68104. Use it for both": an address with its postal code ends there, or with a part
 * of the house. A name may stand before its number, and words in small letters are not one.
 */
function alone(text: string): string {
  const found = POSTAL.exec(text)
  if (found === null) return text
  const [address] = found
  const end = found.index + address.length
  const lead = text.slice(0, found.index)
  const isName = lead.trim() !== '' && !/(?:^|\s)\p{Ll}/u.test(lead.replace(UNIT, ''))
  const unit = UNIT_BEHIND.exec(text.slice(end))?.[0] ?? ''
  if (isName) return `${lead}${address}${unit}`
  const recipient = recipientAround(lead, address, text.slice(end + unit.length))
  return recipient === null ? `${address}${unit}` : `${recipient}, ${address}${unit}`
}

/** The address with its postal code in a text, with the name of who gets it; `null` for none. */
export function addressIn(text: string): string | null {
  const found = POSTAL.exec(text)
  if (found === null) return null
  const [address] = found
  const behind = text.slice(found.index + address.length)
  const recipient = recipientAround(text.slice(0, found.index), address, behind)
  return recipient === null ? address : `${recipient}, ${address}`
}

/** Words before the first number by which a text is a sentence rather than a street. */
const NO_STREET =
  /\b(?:to|it|them|i|im|you|we|they|but|because|was|were|is|are|be|going|goes|send|sent|ship|deliver|this|that|could|can|would|should|please|order|package|zip|not|dont|have|has|want|need|which|where)\b|'(?:m|ll|ve|re|d|t)\b/iu

/** Words of a sentence anywhere. */
const SENTENCE =
  /\b(?:could|can|would|will|do|did) (?:you|i|we)\b|\b(?:i'm|i'll|i've|don't|doesn't|isn't)\b|\b(?:send|ship|deliver) (?:it|them)\b|[?!]\s|\d (?:minutes?|hours?|days?|weeks?|months?|years?)\b|\b(?:before|after) (?:i|we|you)\b/iu

/** A part of a house. */
export const UNIT: RegExp =
  /(?<!\p{L})(?:apartment|apt\.?|unit|suite|ste\.?|flat|floor|#)\s?#?\s?(?:\d{1,5}\p{L}?|\p{L})(?![\p{L}\d])/iu

const UNIT_BEHIND = new RegExp(`^[\\s,]+${UNIT.source}`, 'iu')

/** Whether a text may be an address: it begins at its number, at "c/o", or with a name just before its number. */
export function isAddressLike(text: string): boolean {
  const lead = text.slice(0, Math.max(0, text.search(/\d/u)))
  if (!/\d/u.test(text.replace(UNIT, '')) || SENTENCE.test(text)) return false
  return /^\W*c\/o\b/iu.test(lead) || !NO_STREET.test(lead)
}

/** An address with its postal code, anywhere in a text. */
export const POSTAL: RegExp =
  /(?:\bc\/o [\p{L} .'-]{2,40}, ?)?\b\d{1,6} \p{Lu}[\p{L}\d .,'#-]{4,80},? [A-Z]{2},? \d{5}(?:-\d{4})?\b/u
