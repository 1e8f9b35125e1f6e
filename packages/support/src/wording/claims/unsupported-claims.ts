import { CLAIMS, type Claim, isCalled, NEUTRAL, OWN_VERBS, type Topic } from './claim-table.ts'
import { MONTH, unknownNames } from './names.ts'
import { type Evidence, type Known, knownFrom, type Thing } from './evidence.ts'
import { isEnglish } from './english.ts'

/**
 * The claims of a text that the data does not support, in the text's own words: states, carriers, past actions,
 * future events, and denials. Figures are checked elsewhere. A sentence in a language that this cannot read counts
 * as such a claim: what cannot be checked is not said.
 */
export function unsupportedClaims(text: string, evidence: Evidence): readonly string[] {
  const known = knownFrom(evidence)
  const found: string[] = []
  let about: readonly Thing[] = known.newest
  let topic: Topic = 'delivery'
  for (const sentence of sentencesOf(text)) {
    if (!isEnglish(sentence, known)) found.push(sentence)
    found.push(...unknownNames(sentence, known))
    for (const clause of withSubjects(clausesOf(sentence))) {
      topic = topicOf(clause) ?? topic
      const named = known.things.filter(({ ids }) => [...ids].some((id) => namesIt(clause, id)))
      if (named.length > 0) about = named
      found.push(...inClause(clause, { topic, about, known, sentence }))
    }
  }
  return [...new Set(found)]
}

const MOST_CHARACTERS = 8_000

export const sentencesOf = (text: string): readonly string[] =>
  text
    .slice(0, MOST_CHARACTERS)
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\u2018\u2019\u02bc`]/g, "'")
    .replaceAll(/[*_~#>]+/g, ' ')
    .split(/(?<=[.!?])\s+(?=["'([\p{Lu}\p{N}])|\n+|;|(?<=[!?])\s*|\s+[-–—]\s+|:\s/u)
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
    .filter((sentence) => /\p{L}/u.test(sentence))

export const clausesOf = (sentence: string): readonly string[] =>
  sentence.toLowerCase().split(/,\s+|\s+(?:and|but|while|although|though|whereas|so|because)\s+/)

/** "I refunded it and ordered another": both verbs share the subject. */
function withSubjects(clauses: readonly string[]): readonly string[] {
  let isOwn = false
  return clauses.map((clause) => {
    if (isOwn && ELIDED.test(clause)) return `i ${clause}`
    isOwn = /^\W*(?:i|we)(?:'ve)?\b/.test(clause)
    return clause
  })
}

/** An action with its object, but without a subject. */
const ELIDED =
  /^(?:(?:then|also|even|already|\p{L}+ly) )*(?:\p{L}{2,}ed|bought|sent|gave|took|made|put|told|set) (?:a|an|the|my|our|your|you|it|them|him|her|this|that|another|some|someone|\p{N}+)\b/u

const TOPICS: readonly (readonly [Topic, RegExp])[] = [
  ['refund', /\b(?:refund(?:s|ed|ing)?|reimburse\w*|repayment|repaid|money|pay(?:ment)? back)\b/],
  ['return', /\b(?:returns?|labels?)\b/],
  ['cancellation', /\bcancell?ations?\b/],
  [
    'delivery',
    /\b(?:orders?|packages?|parcels?|shipments?|delivery|items?|products?|reservations?|bookings?)\b/,
  ],
]

/** The first topic of a clause. */
function topicOf(clause: string): Topic | undefined {
  const found = TOPICS.map(([topic, said]) => ({ topic, at: clause.search(said) }))
  return found.filter(({ at }) => at >= 0).toSorted((a, b) => a.at - b.at)[0]?.topic
}

export const namesIt = (clause: string, id: string): boolean =>
  clause.split(/[^\p{L}\p{N}-]+/u).some((word) => word === id || `o-${word}` === id)

interface Around {
  readonly topic: Topic
  readonly about: readonly Thing[]
  readonly known: Known
  readonly sentence: string
}

/** Openings of a condition or a question, which names a state without claiming it. */
const IF = /^(?:\W*(?:and|or|please|just|but)\b)?\W*(?:if|whether|unless|should you|in case)\b/

function inClause(clause: string, around: Around): readonly string[] {
  if (IF.test(clause) || isCourtesy(clause)) return []
  const claims = CLAIMS.filter(({ topics }) => topics?.includes(around.topic) ?? true)
  const found: string[] = []
  let rest = clause
  for (const claim of claims) {
    const match = claim.said.exec(clause)
    if (match === null) continue
    rest = rest.replaceAll(new RegExp(claim.said, 'g'), (said) => SEEN.repeat(said.length))
    const isTwisted = [...clause.matchAll(new RegExp(NOT, 'g'))].length > 1
    if (isTwisted || !isCarried(claim, isDenied(clause, match), around)) found.push(match[0])
  }
  return [
    ...found,
    ...otherStates(rest, around),
    ...otherDeeds(rest, around),
    ...othersHabits(rest, around),
    ...otherFuture(rest, around),
    ...ownDeeds(rest, around),
  ]
}

/** Replaces text that the table has checked. */
const SEEN = '\u00a7'

/** Whether a claimed state holds, or a denied one is known not to hold. */
function isCarried(claim: Claim, denied: boolean, { about, known }: Around): boolean {
  const { isTrue } = claim
  if (isTrue === undefined) return false
  const things = claim.name === 'person' ? [NOTHING] : about
  return things.length > 0 && things.every((thing) => isTrue(thing, known) !== denied)
}

const NOTHING: Thing = { ids: new Set(), status: '', fields: {} }

const NOT =
  /\b(?:not|never|no|none|nothing|neither|nor|without|yet to|cannot|unable|hardly|failed to|still to|nobody|no one|too (?:\w+ ){1,3}to)\b|n't\b/

/** Whether a clause denies its statement, by the words before it or by "no refund" after it. */
function isDenied(clause: string, { index, 0: said }: RegExpExecArray): boolean {
  return (
    NOT.test(clause.slice(0, index)) ||
    NOT.test(said) ||
    / (?:yet to|not)\b/.test(clause.slice(index + said.length))
  )
}

/** A state that the table does not know. */
const STATE =
  /(?:\b(?:am|is|are|was|were|be|been|being|got|gets|has|have|had|looks|seems|remains|stays)|'s|'re|'ve)\s+(?:(?:\p{L}+ly|now|also|already|just|still|indeed|even|since|both|not|never)\s+)*(?!been\b|being\b)(\p{L}{3,})/gu

/** Claimed states that are neither the data's own words nor completed work. */
function otherStates(rest: string, { about, known }: Around): readonly string[] {
  return [...rest.matchAll(STATE)].flatMap((match) => {
    const [, word = ''] = match
    if (NEUTRAL.has(word) || MONTH.test(word)) return []
    const isOfAll = about.length > 0 && about.every((thing) => isCalled(thing, word))
    return (isOfAll || wasDone(word, known)) && !isDenied(rest, match) ? [] : [word]
  })
}

/** A past action: each past-tense verb that was not checked above. */
const DEED =
  /\b(?:\p{L}{2,}ed|gave|took|threw|broke|kept|held|sold|brought|caught|stole|came|put|cut|left|hid|sank|fell|forgot|chose|drove|met|spoke|wrote)\b/gu

function otherDeeds(rest: string, { about, known }: Around): readonly string[] {
  const data = JSON.stringify(known.result).toLowerCase()
  return [...rest.matchAll(DEED)].flatMap((match) => {
    const [word] = match
    if (NEUTRAL.has(word) || data.includes(word)) return []
    const isOfAll = about.length > 0 && about.every((thing) => isCalled(thing, word))
    return (isOfAll || wasDone(word, known)) && !isDenied(rest, match) ? [] : [word]
  })
}

/** Actions of other parties, habitual or in the near future: "the courier picks it up". */
const HABIT =
  /\b(?:couriers?|carrier|driver|postman|warehouse|depot|bank|provider|shop|store|seller|manufacturer|staff|department|system|team|colleague|manager|supervisor|specialist|somebody|someone|he|she|ups|usps|dhl|fedex|dpd|gls)\s+(?:(?:\p{L}+ly|also|already|just|now|then|still|always)\s+)*(\p{L}{2,}s)\b/gu

function othersHabits(rest: string, { known }: Around): readonly string[] {
  const data = JSON.stringify(known.result).toLowerCase()
  return [...rest.matchAll(HABIT)].flatMap(([said, verb = '']) => {
    const isHandedOver = known.done.has('hand') && A_PERSON_WILL.has(verb.slice(0, -1))
    return CLAIMS_NOTHING.has(verb) || isHandedOver || data.includes(verb) ? [] : [said]
  })
}

/** Verbs whose surrounding words are checked, or that report what is on record. */
const CLAIMS_NOTHING: ReadonlySet<string> = new Set(
  'is was has does shows lists says states expects estimates needs plans as this its us always'.split(
    ' ',
  ),
)

/** Any statement about the future. */
const FUTURE =
  /(?:\b(?:will|won't|shall|going to|about to)|'ll)\s+(?:(?:\p{L}+ly|not|also|now|still|then|soon)\s+)*(\p{L}+)/gu

function otherFuture(rest: string, { known }: Around): readonly string[] {
  return [...rest.matchAll(FUTURE)].flatMap(([said, verb = '']) =>
    verb === 'be' || (known.done.has('hand') && A_PERSON_WILL.has(verb)) ? [] : [said],
  )
}

const A_PERSON_WILL: ReadonlySet<string> = new Set(['take', 'help', 'assist', 'continue', 'join'])

const OWN =
  /\b(?:i|we)(?:'ve|'ll|'m|'re|'d)?((?:\s+(?:have|has|had|am|are|will|would|was|were|did|also|already|just|now|still|currently|can|could|do|successfully|went ahead and|gone ahead and|personally|be|been|going to|immediately))*)\s+(\p{L}+)/gu

/** Actions of "I" or "we", past or future, that no tool performed. */
function ownDeeds(rest: string, { known }: Around): readonly string[] {
  return [...rest.matchAll(OWN)].flatMap(([said, , verb = '']) =>
    OWN_VERBS.has(verb) || wasDone(verb, known) ? [] : [said],
  )
}

export const wasDone = (verb: string, { done }: Known): boolean =>
  [...done].some((word) => sameDeed(word, verb))

const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  refund: ['refund', 'issue', 'request', 'process', 'reimburse', 'return', 'initiat', 'submit'],
  cancel: ['cancel'],
  address: ['chang', 'updat', 'set'],
  change: ['chang', 'updat'],
  return: ['start', 'register', 'set', 'open', 'request', 'initiat', 'creat', 'arrang'],
  hand: ['hand', 'pass', 'transfer', 'connect', 'forward', 'get', 'escalat', 'ask'],
}

const sameDeed = (word: string, verb: string): boolean =>
  (word.length > 2 && verb.startsWith(word.slice(0, Math.max(4, word.length - 1)))) ||
  (SYNONYMS[word] ?? []).some((stem) => verb.startsWith(stem))

/** Plain courtesies. */
const COURTESY =
  /^\W*(?:as (?:requested|you asked|you wished)|certainly|sure|of course|absolutely|thanks?(?: you)?(?: so much| very much)?(?: for [\p{L}' ]{1,60})?|(?:is there |if there'?s? |let me know if )?(?:there(?:'s| is) )?anything else[\p{L}' ]{0,60}|(?:please )?(?:feel free|don't hesitate|do not hesitate) to (?:ask|reach out|write|contact us|let me know|get in touch)[\p{L}' ]{0,60}|(?:please )?let (?:me|us) know[\p{L}' ]{0,60}|have a [\p{L} ]{1,30}|enjoy[\p{L}' ]{0,40}|we appreciate your [\p{L} ]{1,30})\W*$/u

const isCourtesy = (clause: string): boolean => COURTESY.test(clause)
