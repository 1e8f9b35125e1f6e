import { cents } from '../../customer/own-order.ts'
import type { Intent } from '../../intent.ts'
import { type Command, readAs, type Reading } from '../../understand/command.ts'
import { asks } from '../../understand/read-questions.ts'
import type { SupportState } from '../support-state.ts'
import { isNarrower, isReason } from './yes-and-why.ts'
import { planScope, type PlanScope } from './plan-scope.ts'
import {
  actionsOf,
  ALL,
  countOf,
  FILLERS,
  isNamed,
  isOfOther,
  lettersIn,
  namesAll,
  strangeNumbers,
  withoutAddress,
} from './plan-words.ts'

/** Longer texts may hold anything. */
const MOST_WORDS = 30

/**
 * "Just the pan, yes. The kettle is great": a yes whose other words name only what the plan says, are courtesies, or
 * say that other things stay. Any other word makes it none.
 */
export function agreedInPlanWords(state: SupportState, intent: Intent | undefined): Reading | null {
  const scope = planScope(state, intent)
  if (scope === null || state.text.includes('?')) return null
  const text = withoutAddress(state.text, scope)
  if (lettersIn(text).length > MOST_WORDS) return null
  const clauses = clausesIn(text)
  const spared = clauses.filter((clause) => isSpared(clause, scope))
  const rest = clauses.filter((clause) => !spared.includes(clause))
  const said = rest.join(', ')
  const isPlan =
    rest.length > 0 &&
    !rest.some(isQuestion) &&
    rest.every((clause) => isOfPlan(clause, scope)) &&
    namesAll(said, scope) &&
    strangeNumbers(said, scope).length === 0
  return isPlan && isYes(rest, scope)
    ? // The words besides the yes were weighed one by one.
      readAs([{ type: 'confirm', said: 'yes' }], 'it says yes, and what the plan says')
    : null
}

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

/** Whether the words of a yes name something else than the plan does. */
export function differsFromPlan(
  state: SupportState,
  intent: Intent | undefined,
  { commands }: Reading,
): boolean {
  const scope = planScope(state, intent)
  const yes = commands.find((command) => command.type === 'confirm')
  if (scope === null || yes === undefined) return false
  const said = saidIn(yes) ?? state.text
  const text = clausesIn(said)
    .filter((clause) => !isSpared(clause, scope))
    .join(', ')
  const isCertain = /^\D*100 ?%?\D*$/u.test(text)
  return (
    actionsOf(scope.intent.id)?.other.test(text) === true ||
    /\bwhy (?!not\b)/iu.test(text) ||
    (!isCertain && strangeNumbers(text, scope).length > 0) ||
    lettersIn(text).some((word) => isOfOther(word, scope)) ||
    !namesAll(text, scope)
  )
}

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

const isQuestion = (clause: string): boolean =>
  asks(clause.replaceAll(HARMLESS, ' ').trim()) && !/^\W*please do\W*$/iu.test(clause)

/** Whether each word of a clause is one of the plan, a courtesy, or means nothing by itself. */
function isOfPlan(clause: string, scope: PlanScope): boolean {
  if (COLLEAGUE_DOES.test(clause)) return true
  const isOfOthers = lettersIn(clause).some((word) => isOfOther(word, scope))
  const isWhy = isReason(clause) && !isNarrower(clause, scope.items) && !isOfOthers
  if (isWhy && scope.address === null) return true
  if (UNNEEDED.test(clause)) return scope.address === null
  if (PRAISES.test(clause) && lettersIn(clause).some((word) => isNamed(word, scope.items)))
    return false
  const hasNumber = /\d/u.test(clause)
  const plain = (hasNumber ? clause.replace(HEDGE, ' ') : clause).replaceAll(HARMLESS, ' ')
  const said = lettersIn(plain)
  return said.every((word) => isAllowed(word, said, scope))
}

function isAllowed(word: string, said: readonly string[], scope: PlanScope): boolean {
  const { items, isWhole, intent, order } = scope
  const count = countOf(word)
  if (count !== null) return count === items.length
  if (word === 'ones') return items.length > 1
  if (ALL.has(word)) return isWhole || isAllOfSeveral(word, said, scope) || isFullPrice(said, scope)
  if (WHOLE_THINGS.has(word)) return isWhole || said.includes(order.id[0]?.toLowerCase() ?? '')
  if (FAULTS.has(word)) return items.length === 1
  if (actionsOf(intent.id)?.own.test(word) === true) return true
  if (isNamed(word, items)) return true
  return !isOfOther(word, scope) && (FILLERS.has(word) || isOfId(word, scope))
}

const isOfId = (word: string, { order }: PlanScope): boolean =>
  order.id.toLowerCase().startsWith(word)

/** "All of them", "all three": of several pieces, these. */
const isAllOfSeveral = (word: string, said: readonly string[], { items }: PlanScope): boolean =>
  word === 'all' &&
  items.length > 1 &&
  said.some((one) => /^(?:them|these|those)$/u.test(one) || countOf(one) === items.length)

/** "The full price of the lamp", where that is what the plan gives back. */
const isFullPrice = (said: readonly string[], { items, amount, intent }: PlanScope): boolean =>
  said.some((word) => isNamed(word, items)) &&
  said.some((word) => actionsOf(intent.id)?.own.test(word)) &&
  amount === cents(items.reduce((sum, { price }) => sum + (price ?? NaN), 0))

/** "I don't need it any more": a reason. */
const UNNEEDED =
  /^(?:(?:yes|yeah|yep|ok|okay|sure|because|since|as),? )*i (?:don'?t|do not|no longer) (?:need|want|use) (?:it|them|this|these|that)(?: any ?more| any longer| now)?$/iu

/** Words for an order, of which a part may be meant otherwise. */
const WHOLE_THINGS: ReadonlySet<string> = new Set(['order', 'purchase', 'parcel', 'package'])

const FAULTS: ReadonlySet<string> = new Set(
  'broken damaged cracked faulty defective dented chipped missing wrong'.split(' '),
)

/** A colleague who does what is asked, which the plan asks one itself where the rules want it. */
const COLLEAGUE_DOES =
  /^\W*(?:(?:so|then|ok|okay|yes|fine|alright|please) )*(?:let|have|ask|get) (?:your |a |the |one of your )?colleagues? (?:to )?(?:do|check|approve|decide(?: on)?|handle|process|look at|take care of|confirm) (?:it|that|this)(?: (?:then|please|now))*\W*$/iu

/** A doubt of the amount, which is right. */
const HEDGE =
  /\b(?:i (?:think|believe|guess)|if i (?:remember|recall) (?:it )?(?:right|correctly|well)|as far as i (?:know|remember))\b/giu

/** Words that sound like a negation but negate nothing. */
const HARMLESS =
  /\b(?:nothing (?:else|more)|no more|not more|(?:thanks )?a lot|lots|no problem|no worries|that works(?: for me)?|works for me|why not|can'?t wait|all good|all right|all correct|all the best|at all|by me|hurry up|as (?:soon|fast|quickly) as (?:possible|you can)|(?:that'?s|that is|it'?s|it is|is) what i (?:asked|want|wanted|said|meant|need)(?: for)?)\b|\bthank you all\b/giu

const STRONG =
  /(?<!\p{L})(?:yes|yeah|yep|yup|yea|yess+|yessir|sure|exactly|correct|absolutely|definitely|certainly|of course|go ahead|do (?:it|that|so)|please do|agreed|confirm(?:ed)?|go for it|proceed|by all means|indeed|sounds good|that works|fine (?:by|with) me|(?:that|it)(?:'?d| would| will) be (?:great|good|nice|lovely|perfect|fine|kind|wonderful))(?!\p{L})/iu
const WEAK = /(?<!\p{L})(?:ok|okay|okey|k|fine|alright|all right|right|perfect)(?!\p{L})/iu
const ORDERS =
  /^\W*(?:(?:ok|okay|so|then|and|well|fine|alright|please|pls|ugh|oh|just|yes|right|go ahead|in that case)[\s,]+)*(?:refund|return|cancel|send|ship|change|start|give|deliver|call (?:it |that )?off)(?!\p{L})/iu

/** Whether it agrees: in a clear word, or in a weaker one and what the plan does or is about. */
function isYes(clauses: readonly string[], scope: PlanScope): boolean {
  if (clauses.some((clause) => STRONG.test(clause))) return true
  const words = clauses.flatMap(lettersIn)
  const isAbout = words.some(
    (word) =>
      isNamed(word, scope.items) || ALL.has(word) || actionsOf(scope.intent.id)?.own.test(word),
  )
  const isOrdered = clauses.some((clause) => ORDERS.test(clause))
  const isLeft = clauses.some((clause) => COLLEAGUE_DOES.test(clause))
  return isOrdered || ((isAbout || isLeft) && clauses.some((clause) => WEAK.test(clause)))
}
