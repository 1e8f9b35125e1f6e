import { isOnlyItems, namedOrder } from '../../customer/resolution.ts'
import { ITEM, ORDER } from '../../customer/resolve-order.ts'
import { readAs, type Reading } from '../../understand/command.ts'
import { clausesOf } from '../../understand/clauses.ts'
import { subjectsIn } from '../../understand/replies/plain-reply.ts'
import { wasRefused } from '../begin-task.ts'
import { CONFIRMATION, type QueuedIntent } from '../dialogue.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { askedFor } from './plan-scope.ts'
import { telling } from './telling.ts'

/** "And the bedding?" after an answer: the same for another order. */
export function sameForOther(settings: SupportSettings, state: SupportState): Reading | null {
  const { registry } = settings
  const { open, last } = state.dialogue
  const isRefused = open === null && wasRefused(state)
  // "No thanks. And the bottle?", after a refusal: what was offered instead is declined before it.
  const text = isRefused ? state.text.replace(DECLINES, '') : state.text
  const isShort = text.split(/\s+/).length <= 9
  const isNamedAfterNo = isRefused && isOnlyItems(state)
  const isSame = open === null && DOES_SAME.test(text)
  const isAsWell = isRefused && ASKS_AS_WELL.test(text)
  if (!(isShort && (SAME_FOR.test(text) || isNamedAfterNo)) && !isSame && !isAsWell) return null
  const named = namedOrder(state)
  if (open !== null) {
    if (open.param !== CONFIRMATION || named === null || open.params[ORDER] === undefined)
      return null
    const command = { type: 'correct-slots', intentId: open.intentId, params: {} } as const
    return readAs([command], 'the same for another thing')
  }
  const waiting = state.dialogue.blocked.find((one) => one.params[ORDER] === named)
  const tells = waiting === undefined ? undefined : telling(settings, state)
  if (named !== null && tells !== undefined && waiting?.params[ITEM] !== undefined) {
    // "And the desk?", where the refund of the chair beside it waits: how it stands with it.
    const task = { type: 'start-task', intentId: tells.id, confidence: 1 } as const
    return readAs([{ ...task, params: { [ORDER]: named } }], 'it asks about the rest of the order')
  }
  const before = isNamedAfterNo ? (offeredFor(state, named) ?? last) : last
  if (before === null) return null
  if (named === null || registry.find(before.intentId)?.params[ORDER] === undefined) return null
  // "And its tracking number?" asks something else of the same order.
  if (!isRefused && named === before.params[ORDER] && !isOnlyItems(state)) return null
  const intent = registry.find(before.intentId)
  // The same address, too.
  const kept = Object.entries(before.params).filter(
    ([name]) => isSame && intent?.params[name]?.wholeAnswer === true,
  )
  const params = { ...Object.fromEntries(kept), [ORDER]: named }
  const { intentId } = before
  const task = { type: 'start-task', intentId, params, confidence: 1 } as const
  // A question after a refusal is answered with what the rules say to the other thing.
  const isWondered = isRefused && text.includes('?') && intent?.confirm === true
  return readAs(
    [isWondered ? { ...task, wonders: 'possible' } : task],
    'the same for another order',
  )
}

/** What declines a colleague, or another thing that was offered, before anything else. */
const DECLINES =
  /^\W*(?:(?:ok(?:ay)?|well|hm+|oh|fine|alright|all right|ah)[\s,.!]+)*(?:no|nope|nah|leave it|never ?mind|don'?t bother|(?:that'?s|it'?s) (?:fine|ok(?:ay)?))(?: (?:thank you|thanks?|thx|need|colleague|person|need for (?:that|a colleague)|it'?s (?:fine|ok(?:ay)?)|that'?s (?:fine|ok(?:ay)?)))*(?: then)?[\s,.;!]+(?=\S)/iu

/** "The bottle too? It came in the same box": a thing alone, and that it is meant as well. */
const ASKS_AS_WELL =
  /^\W*(?:(?:and|so|or|ok|then|what about|how about)[\s,]+)*(?:(?:the|my|that|this|those|these) )?(?:\p{L}+ ){0,3}?\p{L}+[\s,]+(?:(?:too|as well|also|neither|either)|(?:is|are) (?:that|it|they|those) (?:too late|not possible|out)(?: (?:too|as well|also|now))?|(?:the )?same(?: thing| problem| story| answer)?(?: (?:there|too|for that))?)\W*\?/iu

/** "Only the jeans", after an offer to cancel their order, is about that offer. */
function offeredFor({ dialogue }: SupportState, named: string | null): QueuedIntent | null {
  const [offer, ...others] = dialogue.choices
  return others.length === 0 && offer?.params[ORDER] === named ? (offer ?? null) : null
}

/** "Just the jeans, I want to keep the shirt", where one thing is offered for their order: that, of what it names. */
export function narrowsOffer(state: SupportState): Reading | null {
  const offer = state.dialogue.open === null ? askedFor(state) : null
  const [said = ''] = clausesOf(state.text)
  const isOther = state.text.includes('?') || subjectsIn(state.text).length > 0
  if (offer === null || isOther || !ONLY.test(said)) return null
  const named = namedOrder({ ...state, text: said })
  if (named === null || named !== offer.params[ORDER]) return null
  const params = { [ORDER]: named }
  const task = { type: 'start-task', intentId: offer.intentId, params, confidence: 1 } as const
  return readAs([{ ...task, said }], 'it names a part of what is offered')
}

/** "Just the one copy, I keep the other", where several things are offered for one piece: the same choice stays. */
export function staysChoice({ text, dialogue }: SupportState): Reading | null {
  const { open, choices } = dialogue
  const [first, ...others] = choices
  const isOfPiece = first?.params[ITEM] !== undefined && others.length > 0
  if (open !== null || !isOfPiece || text.includes('?') || subjectsIn(text).length > 0) return null
  if (!ONE_PIECE.test(text) || text.split(/\s+/u).length > MOST_WORDS) return null
  const readings = choices.map(({ intentId }) => intentId)
  return readAs([{ type: 'unclear', readings }], 'it says how many are meant', 1)
}

const MOST_WORDS = 14
const ONE_PIECE =
  /\b(?:just|only) (?:the )?(?:one|a single)\b|\b(?:one|a single) (?:copy|piece|pair|pack|set|of (?:them|the two|these|those))\b|\bkeep(?:ing)? the other\b|\bthe other(?: one)? (?:i (?:\p{L}+ )?keep|stays|is (?:a |for |fine|ok))/iu

const ONLY = /^\W*(?:(?:no|nope|ok|okay|but|and|please|yes|hm+)[\s,]+)*(?:only|just)\b/iu

/** "Could you do that for the mug as well?" */
const DOES_SAME =
  /^\W*(?:(?:ok(?:ay)?|and|so|then|great|good|perfect|thanks|thank you|please)[\s,.!]+)*(?:(?:can|could|would|will) (?:you|u|we|i) (?:please |also |maybe )*(?:do|have|get|make) |(?:i(?:'d| would) like|i (?:want|need)|please do|do) )(?:(?:exactly )?the (?:very )?same(?: thing)?|(?:that|it)(?= (?:too |also |as well )?(?:for|with) (?:my|the)\b))(?: too| also| as well| again)? (?:for|with) (?:my|the|order|o-)(?!.*\b(?:but|not|instead|except|only)\b)/iu

const SAME_FOR =
  /^\W*(?:(?:ok(?:ay)?|k|so|then|well|right|alright|all right|fine|great|good|cool|thanks|thx|hm+|ah|oh|i see)[\s,.!]+)*(?:and?|what about|how about|same (?:for|with)|also)\b(?!.*\b(?:where|when|how(?! about\b)|cancel|refund|return|send|track|pay|paid|money|address|is|are|was|were|has|have|will|does|did|com(?:e|es|ing)|arriv\p{L}*|tomorrow|still|right|status|state|news|updates?|what(?! about\b)|whats|which|who|why|eta|invoice|receipt|bill|costs?|price|delivered|shipped|late)\b)/iu
