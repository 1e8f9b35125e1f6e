import { SECTIONS } from '../../knowledge/known-sections.ts'

/* Questions to the documents that messages stand for, whatever their words. */

/** On what the money comes back. */
export const MEANS = 'does the refund go back to my card'

/** A new thing in place of one that does not fit or please; or of one that is broken, or missing. */
export const newOneOf = (text: string): string =>
  SWAPS.test(text) ? SECTIONS.exchanges : SECTIONS.replacements

const SWAPS =
  /\b(?:exchang\p{L}*|swap\p{L}*|trade|sizes?|colou?rs?|bigger|smaller|larger|medium|small|large|xs|xl|xxl)\b|\b(?:an?|the|in) [1-5]?\d(?:\.5)?\b/iu

/** The money of a cancelled order. */
export const CANCELLED_MONEY = 'what happens with my money if I cancel'

/** When a person answers. */
export const HOURS = 'when does a colleague answer'

/** What a refund and a return do. */
export const WHICH_REMEDY = 'refund or return, which is better'

/** What is sent back for a refund. */
export const SEND_BACK = 'do I have to send it back for a refund'
