import { cents } from '../../customer/own-order.ts'
import type { Intent } from '../../intent.ts'
import { type Command, type Reading } from '../../understand/command.ts'
import type { SupportState } from '../support-state.ts'
import { planScope, type PlanScope } from './plan-scope.ts'
import {
  actionsOf,
  countOf,
  FILLERS,
  isNamed,
  isOfOther,
  lettersIn,
  namesAll,
  strangeNumbers,
  withoutAddress,
} from './plan-words.ts'

/** Whether a text only says that things stay which the plan does not touch. */
export function onlySpares(state: SupportState, intent: Intent | undefined): boolean {
  const scope = planScope(state, intent)
  const clauses = clausesIn(state.text)
  return (
    scope !== null &&
    !state.text.includes('?') &&
    clauses.length > 0 &&
    clauses.every((clause) => isSpared(clause, scope))
  )
}

/**
 * Whether the words of a yes name something else than the plan does: another action, amount, number of pieces, order,
 * thing or place, or what the plan would take away as kept.
 */
export function differsFromPlan(
  state: SupportState,
  intent: Intent | undefined,
  { commands }: Reading,
): boolean {
  const scope = planScope(state, intent)
  const yes = commands.find((command) => command.type === 'confirm')
  if (scope === null || yes === undefined) return false
  const said = saidIn(yes) ?? state.text
  const clauses = clausesIn(said).filter((clause) => !isSpared(clause, scope))
  const text = clauses.join(', ')
  const isCertain = /^\D*100 ?%?\D*$/u.test(text)
  return (
    actionsOf(scope.intent.id)?.other.test(text) === true ||
    /\bwhy (?!not\b|i(?:'m|'ve)?\b)/iu.test(text) ||
    (!isCertain && strangeNumbers(text, scope).length > 0) ||
    lettersIn(text).some((word) => isOfOther(word, scope)) ||
    (!namesAll(scope.isWhole ? text.replaceAll(ORDER_OF, ' ') : text, scope) &&
      !(scope.address !== null && ADDS.test(text) && !LIMITS.test(text))) ||
    clauses.some((clause) => isElsewhere(clause, scope) && !isLeft(clause, text, scope)) ||
    isOfOtherSize(text, scope) ||
    isOfOtherColor(text, scope) ||
    isForOthers(text, scope) ||
    meansOnlyOther(text, scope) ||
    namesOnly(text, scope)
  )
}

/** "The lamp order" is the order, and not only its lamp. */
const ORDER_OF = /\b(?:the|my|that|this) \p{L}+(?: \p{L}+)? (?:order|purchase)\b/giu

const saidIn = (command: Command): string | undefined =>
  command.type === 'confirm' ? command.said : undefined

const clausesIn = (text: string): readonly string[] =>
  text
    .split(
      /[.!;\n]+(?=\s|$)|,(?=\s|$)|\s-+\s|\b(?:and|but|though|while|because)\b|\s(?=not (?:the|my)\s)/iu,
    )
    .map((clause) => clause.trim())
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause))

const KEEPS = /\b(?:keep|keeping|kept|stays?|leave|leaving|hold(?:ing)? on to)\b/iu
const PRAISES =
  /\b(?:is|are|was|were|works?|looks?|came|arrived|'?s)\b.*\b(?:fine|ok|okay|good|great|perfect(?:ly)?|lovely|nice|alright|all right|wonderful|beautiful|excellent|amazing|intact)\b|\b(?:love|happy with)\b|(?<!\b(?:i'?d|would) )\blike\b/iu
/** What makes of a remark more than one. */
const TAINTS =
  /\b(?:no|not|never|if|unless|until|when|refund\p{L}*|return\p{L}*|cancel\p{L}*|money|send|back|instead|only|just|want|maybe)\b|n't\b/iu
const OTHERS = /\b(?:others?|rest|else|second|remaining)\b/iu

/** Whether a clause only says that something beside the plan stays, or is good: "I'm keeping the kettle". */
function isSpared(clause: string, scope: PlanScope): boolean {
  if (NOT_THAT.test(clause)) return namesOnlyOthers(clause, scope)
  if (!(KEEPS.test(clause) || PRAISES.test(clause)) || TAINTS.test(clause)) return false
  return OTHERS.test(clause)
    ? scope.items.length < scope.order.items.length
    : namesOnlyOthers(clause, scope)
}

/** "Not the kettle". */
const NOT_THAT = /^not (?:the|my|for the|for my) (?:\p{L}+ ?){1,3}$/iu

function namesOnlyOthers(clause: string, scope: PlanScope): boolean {
  const said = lettersIn(clause)
  const isOwn = said.some((word) => isNamed(word, scope.items))
  return !isOwn && said.some((word) => isOfOther(word, scope))
}

const KEEPS_IT =
  /(?<!\b(?:not|to|can'?t|won'?t|cannot|n't) )\b(?:keep|keeping|leave)\b (?:it|them|this|that|these|those|the|my|your|one|everything)\b/iu

/** Words of something that has become good again. */
const IS_FINE_NOW =
  /\b(?:works?|working|fits?|fine|ok|okay|good|found|turned up|arrived) (?:now|again|after all)\b|\bit works\b/iu

const SOMEONE =
  /\b(?:brother|sister|mother|mom|mum|father|dad|parents?|son|daughter|friend|neighbou?r|aunt|uncle|cousin|wife|husband)(?:'s)?\b/iu
const PLACED = /\b(?:in|at|to) (?:the )?\p{Lu}\p{L}+/u
const AS_IT_WAS =
  /\bwhere (?:it|they) (?:was|were|is|are)\b|\b(?:old|former|previous|original|current) (?:one|address|place)\b(?! (?:is|was|has))|\bas it (?:is|was)\b/iu

/** "That's the old one, please send it to Pecan Street": what the new address replaces, which is named as well. */
function isLeft(clause: string, text: string, { address }: PlanScope): boolean {
  const [street = ''] = address?.replace(/^[^\d,]*,\s*(?=\d)/u, '').split(',') ?? []
  const own = lettersIn(street)
  const said = lettersIn(text)
  const isNamed = own.length > 0 && own.filter((word) => said.includes(word)).length >= own.length
  return isNamed && IS_OLD.test(clause)
}

const IS_OLD =
  /^\W*(?:(?:yes|yeah|yep|right|ok|okay)[\s,]+)?(?:that|it|this)(?:'?s| is| was) (?:my |the |our )?(?:old|former|previous) (?:one|address|place)\W*$/iu

/** Words of things that go along to the new address, and of those that alone do. */
const ADDS = /\b(?:too|also|as well|included|along)\b/iu
const LIMITS = /\b(?:only|just|not|except|but)\b|n't\b/iu

/** Whether a clause keeps what the plan takes away, praises it, means another one, or another place. */
function isElsewhere(clause: string, scope: PlanScope): boolean {
  const isPraise =
    PRAISES.test(clause) && lettersIn(clause).some((word) => isNamed(word, scope.items))
  const place = scope.address
  const isPlace =
    place !== null &&
    (AS_IT_WAS.test(clause) ||
      (/\bto (?:my|the|his|her|our)\b/iu.test(clause) && SOMEONE.test(clause)) ||
      (PLACED.test(withoutAddress(clause, scope)) && !isOfPlace(clause, place)))
  return (
    isPlace ||
    (place === null && (isPraise || IS_FINE_NOW.test(clause))) ||
    (KEEPS_IT.test(clause) && place === null) ||
    /\b(?:the|my) other\b(?! (?:day|shop|store))|\banother (?:one|order)\b|\bi meant?\b/iu.test(
      clause,
    )
  )
}

/** Whether the place that a clause names is a part of the address. */
const isOfPlace = (clause: string, address: string): boolean => {
  const [found = ''] = PLACED.exec(clause) ?? []
  return address.toLowerCase().includes((found.split(/\s+/u).at(-1) ?? '').toLowerCase())
}

/** "Only for the socks", which the plan does not hold, whether the customer bought any or not. */
function meansOnlyOther(text: string, { items, intent, address }: PlanScope): boolean {
  const [, thing = ''] = ONLY_OF.exec(text) ?? []
  const said = lettersIn(thing)
  return (
    address === null &&
    said.length > 0 &&
    !said.some((word) => isNamed(word, items) || actionsOf(intent.id)?.own.test(word)) &&
    !said.every((word) => FILLERS.has(word))
  )
}

const ONLY_OF = /\b(?:only|just) (?:for |of |with )?(?:the|my|those|these) (\p{L}+(?: \p{L}+)?)/iu

const COUNTED_MONEY =
  /\b(?:ten|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred)\b[^.!?]{0,20}\b(?:dollars?|bucks|usd|back)\b/iu
const WHOLE =
  /\b(?:entire|whole|full|complete) (?:order|lot|thing|parcel|purchase|package|refund|amount|price|sum|money)\b|^\W*(?:\p{L}+\W+){0,3}?(?:everything|all of (?:it|them)|the lot)\b/iu

const COLORS =
  /\b(?:red|green|blue|black|white|gr[ae]y|brown|pink|purple|yellow|orange|beige|burgundy|navy|silver|gold(?:en)?)\b/giu

/** "The red shirts", where nothing in the plan is said to be red. */
const isOfOtherColor = (text: string, { items, address }: PlanScope): boolean => {
  const said = text.toLowerCase().match(COLORS) ?? []
  const names = items.map(({ name }) => name.toLowerCase()).join(' ')
  return address === null && said.some((color) => !names.includes(color))
}

/** Whether somebody else is to get it: "give my brother the money". */
const isForOthers = (text: string, { address }: PlanScope): boolean => {
  const [, someone = ''] = GIVES_TO.exec(text) ?? []
  return address === null && SOMEONE.test(someone) && !/['’]s\b/u.test(someone)
}

const GIVES_TO =
  /\b(?:give|pay|send|transfer|wire|refund|put|credit|goes|go|cash|money|to|for)\b(?:(?! back\b)[^.,;!?])*?\b((?:my|his|her|our|their) \p{L}+(?:['’]s)?)/iu

/** Whether a text asks for more or less of it than the plan does. */
function isOfOtherSize(text: string, scope: PlanScope): boolean {
  const { items, isWhole } = scope
  const said = lettersIn(text)
  const isCounted = said.some((word, at) => {
    const count = countOf(word)
    const next = said[at + 1] ?? ''
    const isAllOf = said[at - 1] === 'all'
    return (
      count !== null &&
      count !== items.length &&
      (isNamed(next, items) || /^(?:of|pieces?|things?|items?|parts?)$/u.test(next) || isAllOf)
    )
  })
  const isAll =
    WHOLE.test(text) && !isWhole && !isFullPrice(said, scope) && !areAll(text, items.length)
  return isCounted || COUNTED_MONEY.test(text) || isAll
}

/** "All of them", of several pieces of the plan. */
const areAll = (text: string, pieces: number): boolean =>
  pieces > 1 && /\ball of them\b/iu.test(text)

/** "The full price of the lamp", where that is what the plan gives back. */
const isFullPrice = (said: readonly string[], { items, amount, intent }: PlanScope): boolean =>
  said.some((word) => isNamed(word, items)) &&
  said.some((word) => actionsOf(intent.id)?.own.test(word)) &&
  amount === cents(items.reduce((sum, { price }) => sum + (price ?? NaN), 0))

const DETERMINERS: ReadonlySet<string> = new Set('the a an my this that these those'.split(' '))

/** Whether a text only names a thing, and says nothing of it. */
const namesOnly = (text: string, { items }: PlanScope): boolean => {
  const said = lettersIn(text)
  const named = said.filter((word) => isNamed(word, items) && !FILLERS.has(word))
  return named.length > 0 && said.every((word) => DETERMINERS.has(word) || named.includes(word))
}
