import { cents, ownOrdersIn } from '../../customer/own-order.ts'
import { AMOUNT, ITEM, ORDER } from '../../customer/resolve-order.ts'
import { namedOrder } from '../../customer/resolution.ts'
import type { TaskCommand } from '../../dialogue/apply-commands.ts'
import { type Command, BY_RULE } from '../../understand/command.ts'
import type { SupportState } from '../support-state.ts'
import { REFUND } from '../../dialogue/known-intents.ts'

/**
 * "Could you make it 45 instead?", "another 15, please", where 30 was given back: the rest of it is asked for, and
 * confirmed. What was given back stays so, where less is meant.
 */
export function raised(state: SupportState, command: Command): readonly TaskCommand[] | null {
  const { done, open } = state.dialogue
  const isRefunded = open === null && done?.intentId === REFUND
  const order = ownOrdersIn(state.orders).find(({ id }) => id === done?.params[ORDER])
  const { amount = null, left = null } = order ?? {}
  if (!isRefunded || order === undefined || amount === null || left === null) return null
  if (command.type === 'ask-person' || namesOther(state, order.id)) return null
  const back = cents(amount - left)
  const isOwn = back === Number(done.params[AMOUNT])
  const item = done.params[ITEM]
  const known = { [ORDER]: order.id, ...(item !== undefined && { [ITEM]: item }) }
  const begun = (sum: string | null): readonly TaskCommand[] => [
    {
      type: 'start-task',
      intentId: REFUND,
      params: { ...known, [AMOUNT]: sum },
      confidence: BY_RULE,
    },
  ]
  if (WANTS_MORE.test(state.text)) return left > 0 ? begun(null) : null
  const added = sumIn(MORE, state.text)
  const total = sumIn(IN_ALL, state.text)
  const more = added ?? (total === null || !isOwn ? null : cents(total - back))
  if (more === null || more === 0) return null
  if (more < 0) return [{ type: 'undo' }]
  return more <= left ? begun(more.toFixed(2)) : null
}

/** Whether it is about another order than the one that was refunded. */
function namesOther(state: SupportState, id: string): boolean {
  const named = namedOrder(state)
  return named !== null && named !== id
}

const sumIn = (pattern: RegExp, text: string): number | null => {
  const found = Object.values(pattern.exec(text)?.groups ?? {}).find((sum) => sum !== undefined)
  return found === undefined ? null : Number(found)
}

const named = (name: string): string => `(?<${name}>\\d{1,4}(?:\\.\\d\\d)?)`
const MONEY = '(?: ?(?:dollars|bucks|usd))?'
const ENDS =
  '(?: (?:back|really|actually|at least|instead|please|pls|in total|in all|total|altogether|then|for (?:it|that|them|the \\p{L}+)))*\\s*(?:[?.!,;]|$)'

/** Another sum than what was given back; no size and no day. */
const IN_ALL = new RegExp(
  [
    `\\b(?:make|raise|increase|change|do|say|call|round) (?:(?:it|that|this|the (?:refund|amount|sum)) )?(?:up )?(?:to )?\\$?${named('made')}${MONEY}${ENDS}`,
    `\\b(?:should|must|ought to|has to|could it|can it) (?:be|have been) \\$?${named('should')}${MONEY}${ENDS}`,
    `\\bi (?:meant|wanted|said|asked for|expected|thought of|was hoping for|need(?:ed)?) \\$?${named('meant')}${MONEY}${ENDS}`,
    `^\\W*(?:\\p{L}+ ){0,3}\\$?${named('fairer')}${MONEY} (?:would be|is|sounds|seems) (?:more )?(?:fair\\p{L}*|better|right|ok|okay|nice\\p{L}*|reasonable|appropriate)`,
    `^\\W*(?:\\p{L}+ ){0,2}\\$?${named('not')}${MONEY},? not \\$?\\d`,
  ].join('|'),
  'iu',
)

/** A sum besides what was given back. */
const MORE = new RegExp(
  [
    `\\b(?:another|(?:an )?extra|(?:an )?additional|add(?: another)?) \\$?${named('another')}${MONEY}${ENDS}`,
    `\\$?${named('more')}${MONEY} (?:more|extra|on top|in addition|additional(?:ly)?)${ENDS}`,
  ].join('|'),
  'iu',
)

/** More, without a sum: it is asked for. */
const WANTS_MORE =
  /^\W*(?:(?:ok(?:ay)?|hm+|but|and|so|sorry|well|thanks?|please)[\s,.!]+)*(?:(?:can|could|would|will) (?:you|i|we) |i (?:want|need) |i'?d like )(?:please |maybe )*(?:(?:give|get|have|refund|pay|do) )?(?:me |us |back )?(?:a (?:bit|little) )?more(?: money| back| of it| than that| than \$?\d+)*\W*$/iu
