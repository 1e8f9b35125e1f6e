import { RETURN_COSTS } from '../../turn/weighing/facts.ts'
import { ORDER } from '../../customer/resolve-order.ts'
import type { Intent } from '../../intent.ts'
import { BY_RULE, readAs, type Reading, type StartTask } from '../command.ts'
import { isConditional, isHypothetical, withoutIndirect } from '../directives.ts'
import { type Lesson, openersFor, SURE } from '../lesson.ts'
import { isRefused } from '../clauses.ts'
import { asks } from '../read-questions.ts'
import { correctedParams, thingsIn } from '../read-wishes.ts'

/** Longer texts are stories, in which a condition may belong to anything. */
const MOST_CHARACTERS = 400

/**
 * A question of what would be: "if it isn't here by Monday, could I get my money back?" The rules are asked about
 * that order, and nothing is done. A request on a condition is not such a question.
 */
export function prospect(text: string, lesson: Lesson): Reading | null {
  const { dialogue } = lesson.context
  if (dialogue.open !== null || text.length > MOST_CHARACTERS) return null
  const isIf = IF.test(withoutIndirect(text))
  if (isIf && isConditional(text) && tells(text) && !text.includes('?') && named(text)) {
    return readAs([{ type: 'conditional' }], 'it depends on something')
  }
  const isWondering = isIf || isHypothetical(text) || WOULD.test(text) || ONLY_ASKS.test(text)
  if (!isWondering || !isQuestion(text) || OF_TIME_LEFT.test(text)) return null
  // "Could you stop it if I wanted?" depends on nothing but the customer, and orders nothing.
  if (orders(text) && !(OF_A_WISH.test(text) && !tells(text))) return null
  if (!isOfOrder(text, lesson)) return null
  if (COMES_BACK.test(text)) {
    return readAs([{ type: 'ask-knowledge', question: text, isBeyond: true }], 'it comes back')
  }
  if (asksReturnCost(text)) {
    return readAs(
      [{ type: 'ask-knowledge', question: RETURN_COSTS }],
      'it asks what a return costs',
    )
  }
  // "Do I have to give a reason if I send it back?" asks for a rule.
  if (ASKS_DUTY.test(text) || ASKS_OF_OTHERS.test(text)) return null
  const intent = actionIn(text, lesson)
  if (intent === null || isNegated(text, intent, lesson)) return null
  const task: StartTask = {
    type: 'start-task',
    intentId: intent.id,
    params: correctedParams(text, intent),
    confidence: BY_RULE,
    // Who may send back later what has not come yet asks of the time after it has come.
    ...(intent.id === 'return' && LATER_ON.test(text) && { isOnceArrived: true }),
    wonders: isIf && !OF_THE_CUSTOMER.test(text) && isConditional(text) ? 'later' : 'possible',
  }
  return readAs([task], 'it asks what would be')
}

const LATER_ON =
  /\b(?:later|later on|afterwards?|then|at some point|one day|some day|eventually)\b/iu

/** Who comes for it, and where and how it goes, is asked of the rules, and not of what is possible for an order. */
const ASKS_OF_OTHERS =
  /\b(?:who(?:m|'d|'ll|'s)?(?! (?:would |will |has to |must |does )?pays?)|where(?:'d|'s|'ll)?)\b|\b(?:some(?:one|body)|any(?:one|body)|drivers?|couriers?|carriers?|ups|usps|fedex|dhl) (?:\p{L}+ )?(?:pick|come|comes|fetch|collect|get|take|haul|stop|carry|be)\b|\b(?:do|would|will|can|could) (?:you|u|they)(?: guys)? (?:\p{L}+ )?(?:pick|fetch|collect|come|haul)\b|\bpick(?:ed)?[ -]?up\b|\bhow (?:do|does|would|will|can|could|should|is|am) (?:i|it|that|this|they|one|we|the \p{L}+(?: \p{L}+)?) (?:\p{L}+ )?(?:get (?:it|back|there|to)|go|travel|reach|find|pack|send|sent|ship|bring|carry)\b/iu

/** Whether the customer has to do something, which is no wish to do it. */
export const ASKS_DUTY: RegExp =
  /\b(?:do|does|would|will|must|should) (?:i|we) (?:\p{L}+ )?(?:have to|need(?: to)?)\b(?! (?:wait|pay))|\bmust i\b/iu

/** "Would I have to pay for sending it back?", and nothing of the money besides. */
export const asksReturnCost = (text: string): boolean =>
  OF_RETURN_COSTS.test(text) && !GETS_BACK.test(text)

const GETS_BACK = /\b(?:get|receive|have)\b[^.,!?]{0,20}\bback\b|\bhow much\b[^.,!?]{0,20}\bget\b/iu

const OF_RETURN_COSTS =
  /\b(?:pay|costs?|fees?|free|charged?|postage|lose|deduct\p{L}*)\b.*\b(?:sen[dt](?:ing)? (?:(?:it|them|this|that|(?:the|my) \p{L}+(?: \p{L}+)?) )?back|returns?|returning)\b|\b(?:sen[dt](?:ing)? (?:(?:it|them|this|that|(?:the|my) \p{L}+(?: \p{L}+)?) )?back|returns?|returning)\b.*\b(?:costs?|fees?|free|charged?|postage|lose|deduct\p{L}*)\b/iu

/** A parcel that the carrier brings back, which nobody sends: of that nothing is known. */
const COMES_BACK =
  /\b(?:it|parcel|package|order|they|this|that|\p{L}+) (?:(?:is|are|was|were|gets?|got|be|being|been) (?:sent|returned|shipped)|comes?|came|goes|went)(?: back)? (?:back )?to (?:you|sender|the (?:shop|sender|warehouse|store))\b/iu

/** Whether an order is named or was spoken of: else it is a question of the rules in general. */
const isOfOrder = (text: string, lesson: Lesson): boolean => {
  const { about, last } = lesson.context.dialogue
  const isSpoken = [about, last?.params].some((params) => params?.[ORDER] !== undefined)
  return isSpoken || thingsIn(text, lesson).length > 0 || /\d{4,}/u.test(text)
}

const IF =
  /\b(?:if|in case|unless|suppos(?:e|ing)|assuming|provided|should (?:i|we|it|they|the)|were (?:i|we|it) to|say i|let'?s say)\b/iu

/** "Would I get everything back?", and not "would you …" or "I would like …". */
const WOULD =
  /(?<!\bwhen |\bwhere |\bhow long )\b(?:would|might) (?:i|we|it|that|a refund|a return)\b(?! (?:be )?(?:possible|ok|okay|all right|alright) (?:to|for|if)\b)|\b(?:it|that|this|which) would (?:then |still |really )?(?:be|mean) (?:for )?(?:the |my |all |me )*(?:full|whole|entire|complete|all|everything|[$]?\d)/iu

/** Words of a customer who only asks, and wants nothing done yet. */
const ONLY_ASKS =
  /\b(?:only|just) (?:asking|curious|want(?:ed)? to know|out of (?:curiosity|interest))\b|\b(?:theoretically|hypothetically|in theory|in principle)\b|\bbefore i (?:do (?:anything|something|it|that)|decide|order|cancel|return)\b/iu

/** A condition that the customer sets by what they do: "if I sent it back". */
const OF_THE_CUSTOMER =
  /\bif (?:you|u) (?:would |could |just |now )*(?:refund|cancel|return|pay|give)\b|\b(?:if|suppos(?:e|ing)|assuming|should|were|case|say) (?:i|we)(?:'d| would| just| ever| really| now| only| did| do)*\s+(?!get\b|don'?t|do not|haven'?t|didn'?t|never|am |was )|\b(?:if|suppos(?:e|ing)|assuming|should|case) (?:\p{L}+ ){1,5}?(?:was|were|is|got|gets|be) (?:\p{L}+ )?(?:cancel\p{L}*|call\p{L}* off|refund\p{L}*|return\p{L}*|sent back)\b/iu

const OF_A_WISH =
  /\bif (?:i|we) (?:(?:ever|really|just) )?(?:wanted|asked|decided|changed|needed)\b/iu

const isQuestion = (text: string): boolean =>
  text.includes('?') ||
  asks(text) ||
  /(?:^|[,;:.!] *|\bthen |\bnow |\bback )(?:could|can|would|will|do|does|is|are|am|how|what|when|should|may) (?:i|we|it|that|the|my|much|long|soon|happens?)\b/iu.test(
    text,
  )

/** What tells the agent to do something, whatever it depends on. */
const orders = (text: string): boolean =>
  /\b(?:can|could|will) (?:you|u)\b|\b(?:please|pls|plz)\b/iu.test(text) || tells(text)

/** Whether one of its clauses is a command. */
const tells = (text: string): boolean =>
  text
    .split(/[,.;!?]+\s*|\bthen\b/u)
    .some((part) =>
      /^\s*(?:(?:and|so|then|but|just|ok|okay|hi|hello|hey)[\s,]+)*(?:i (?:want|need|demand)|i(?:'d| would) (?:like|want|prefer)|refund|cancel|return|send|change|ship|give|stop|redirect|get me|start|make)\b/iu.test(
        part,
      ),
    )

/** Until when something is possible: another answer says it. */
const OF_TIME_LEFT =
  /\b(?:until|till|by) (?:when|what|which)\b|\bhow (?:long|many days|much time) (?:do|would|will|have) (?:i|we)\b(?! (?:get|wait))|\b(?:deadline|last day)\b|\b(?:return|refund) (?:time|window|period)\b|\bhow late\b|\b(?:up|until|till) (?:to )?(?:when|what (?:point|day|time))\b|\bat what point\b|\bhow much longer\b|\b(?:the|at the|my) latest\b|\blast chance\b|\btime left\b/iu

/** How each action is spoken of. */
const ACTIONS: Readonly<Record<string, RegExp>> = {
  cancel:
    /\bcancel\p{L}*|\bcall(?:ed|ing)?\b[^,.;!?]{0,20}\boff\b|\b(?:back|pull|get) out of (?:it|the|my|this)\b|\bstop(?:ped)? (?:it|the order|my order|this order|that order)\b/iu,
  return:
    /\breturn(?:ed|ing|s)?\b|\b(?:send|sent|sending|ship|shipped|mail|mailed|bring|take|took|go|goes|went)\b(?:(?! money\b)[^,.;!?]){0,24}\bback\b/iu,
  refund:
    /\brefund\p{L}*|\breimburs\p{L}*|\bmoney\b|\bpaid back\b|\b(?:get|have|want\p{L}*|receive|claim|see)\b(?:(?! if\b)[^,.;!?]){0,24}\bback\b|\b(?:full|whole|entire|complete) (?:sum|amount|price|[$]?\d[\d.]*)/iu,
  change_address:
    /\b(?:change|other|another|new|different)\b[^,.;!?]{0,16}\baddress\b|\baddress\b[^,.;!?]{0,12}\bchang\p{L}*|\b(?:go|sent|shipped|delivered|redirect\p{L}*)\b[^,.;!?]{0,20}\b(?:elsewhere|somewhere else|to (?:another|a different))\b/iu,
}

const named = (text: string): boolean => Object.values(ACTIONS).some((said) => said.test(text))

/** The first action that a text names, or else the one that it reads like. */
function actionIn(text: string, { classifier, context }: Lesson): Intent | null {
  const acting = context.intents.filter(({ confirm }) => confirm)
  // "How much do I get back if I cancel it?" asks of the cancellation.
  const [, own = ''] = /\bif (?:i|we)\b([^,.;!?]*)/iu.exec(text) ?? []
  const found = firstNamed(own, acting) ?? firstNamed(text, acting)
  if (found !== null) return found
  const { label, confidence } = classifier.classify(text)
  return confidence >= SURE ? (acting.find(({ id }) => id === label) ?? null) : null
}

/** The action that a text names first. */
const firstNamed = (text: string, acting: readonly Intent[]): Intent | null =>
  acting
    .flatMap((intent) => {
      const at = ACTIONS[intent.id]?.exec(text)?.index
      return at === undefined ? [] : [{ intent, at }]
    })
    .toSorted((one, other) => one.at - other.at)[0]?.intent ?? null

/** "What happens if I don't return it?" asks of what is not done. */
const isNegated = (text: string, { id }: Intent, lesson: Lesson): boolean =>
  isRefused(text, openersFor(lesson, id)) ||
  /\b(?:don'?t|do not|didn'?t|did not|never|without) (?:\p{L}+ )?(?:cancel|return|send|refund)/iu.test(
    text,
  )
