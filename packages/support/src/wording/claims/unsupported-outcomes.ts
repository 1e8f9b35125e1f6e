import { CLAIMS } from './claim-table.ts'
import { type Evidence, knownFrom } from './evidence.ts'
import { clausesOf, namesIt, sentencesOf, wasDone } from './unsupported-claims.ts'

/** Rows of the table that state an outcome. */
const OUTCOMES: ReadonlySet<string> = new Set(['delivered', 'refunded', 'canceled'])
const ROWS = CLAIMS.filter(({ name }) => OUTCOMES.has(name))

/**
 * Outcomes stated in a text that the data does not support. For a model with a conversation of its own: its
 * offers, questions and explanations go beyond any data, so only plain statements of an outcome are checked.
 */
export function unsupportedOutcomes(text: string, evidence: Evidence): readonly string[] {
  const known = knownFrom(evidence)
  const found: string[] = []
  const data = JSON.stringify(evidence.results).toLowerCase()
  for (const sentence of sentencesOf(text)) {
    found.push(...promisesIn(sentence, data))
    if (sentence.endsWith('?') || POSSIBLE.test(sentence)) continue
    for (const clause of clausesOf(sentence)) {
      const named = known.things.filter(({ ids }) => [...ids].some((id) => namesIt(clause, id)))
      const about = named.length > 0 ? named : known.things
      for (const { said, isTrue } of ROWS) {
        const match = FINISHED.test(clause) ? said.exec(clause) : null
        if (match === null || wasDone(match[0], known)) continue
        if (OFFERED.test(clause.slice(match.index))) continue
        if (!about.some((thing) => isTrue?.(thing, known))) found.push(match[0])
      }
      for (const [whole, verb = ''] of clause.matchAll(OWN_DEED)) {
        if (!wasDone(verb, known)) found.push(whole)
      }
    }
  }
  return found
}

/** Offers, conditions, plans and refusals state no outcome. */
const POSSIBLE =
  /\b(?:if|whether|unless|once|when|before|after|would|could|can|cannot|may|might|should|will|must|need|please|eligible|policy|rules?|only|not|never|no|unable|to be|going to|proceed|confirm)\b|n't\b|'ll\b/iu

/** "You have the following options" says nothing of what was delivered. */
const OFFERED =
  /^you (?:have|had) the (?:following|options?|choices?|right|possibility|[\p{L}]+ (?:of|to))\b/u

const FINISHED = /\b(?:is|are|was|were|been|has|have)\b|'s\b|'ve\b/

const OWN_DEED =
  /\b(?:i|we)(?:'ve| have)\s+(?:(?:\p{L}+ly|now|also|already|just)\s+)*(refunded|reimbursed|cancell?ed|booked|rebooked|changed|updated|upgraded|downgraded|issued|escalated|transferred|added|removed|credited|compensated|waived|modified|exchanged|returned|shipped|replaced)\b/giu

/** Something is said to be given, and no tool was called for it. */
const PROMISE =
  /\b(?:i|we|you|it|they)(?:'ll| will| are going to|'re going to)\s+(?:(?:\p{L}+ly|also|now|soon|then)\s+)*(?:send|give|get|receive|issue|ship|be (?:sent|given|issued|shipped|delivered)|arrange|replace|compensate|waive|credit)\b[^.!?]*?\b(voucher|coupon|replacement|store credit|discount|compensation|free (?:upgrade|shipping|delivery|replacement)|new (?:one|item|lamp|parcel))\b/iu

/** Promises of what no result speaks of; a condition or a question promises nothing. */
function promisesIn(sentence: string, data: string): readonly string[] {
  if (
    sentence.endsWith('?') ||
    /\b(?:if|once|unless|would|could|may|might|can)\b/iu.test(sentence)
  ) {
    return []
  }
  const [said, thing = ''] = PROMISE.exec(sentence) ?? []
  return said === undefined || data.includes(thing.toLowerCase()) ? [] : [said]
}
