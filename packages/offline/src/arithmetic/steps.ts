import { called, type Expression, literal, minus, over, plus, power, times } from '../expression.ts'
import { ON_ONE, type Parser } from './parser.ts'

/**
 * Reads a calculation, or consecutive imperatives: "start with 12, triple it, then subtract 9". Each
 * step continues with the result of the steps before.
 */
export function readSteps(parser: Parser): Expression | undefined {
  let value = parser.attempt(() => order(parser)) ?? parser.sum()
  while (value !== undefined && !parser.atEnd) {
    value = ends(parser) ? step(parser, value) : undefined
  }
  return value
}

/** Separators between two steps. */
function ends(parser: Parser): boolean {
  let found = false
  while (parser.take(',', ';', '.', 'and', 'then')) found = true
  return found
}

type Order = (parser: Parser) => Expression | undefined

/** Imperatives that name all their numbers. */
const ORDERS: Readonly<Record<string, Order>> = {
  start: (parser) => parser.sum(),
  take: (parser) => parser.attempt(() => subtraction(parser)) ?? start(parser),
  takeaway: subtraction,
  subtract: subtraction,
  remove: subtraction,
  from: fromWhat,
  add: addition,
  multiply: product,
  divide: (parser) => pair(parser, ['by'], over),
  increase: (parser) => change(parser, raised),
  raise: (parser) => parser.attempt(() => change(parser, raised)) ?? risen(parser),
  reduce: (parser) => change(parser, lowered),
  remainder,
}

function order(parser: Parser): Expression | undefined {
  const read = parser.takeFrom(ORDERS)
  return read ? read(parser) : (shareOff(parser) ?? changed(parser))
}

/** "Take 5" as the first of several steps. */
function start(parser: Parser): Expression | undefined {
  const value = parser.sum()
  return parser.atEnd ? undefined : value
}

const raised = (whole: Expression, share: Expression): Expression => scaled(whole, share, plus)
const lowered = (whole: Expression, share: Expression): Expression => scaled(whole, share, minus)

/** A third more is 90 + 90 / 3, which loses no digits; a percentage more is 90 * (1 + …). */
function scaled(whole: Expression, share: Expression, sign: typeof plus): Expression {
  return share.text.endsWith(' / 100')
    ? times(whole, sign(literal('1'), share))
    : sign(whole, times(whole, share))
}

/** "A and B", with another word in place of "and". */
function pair(
  parser: Parser,
  between: readonly string[],
  combine: (a: Expression, b: Expression) => Expression,
): Expression | undefined {
  const a = parser.sum()
  if (a === undefined || !parser.take(...between)) return undefined
  const b = parser.operand()
  return b && combine(a, b)
}

/** "Subtract 3 from 10", "take 20% off 65". */
function subtraction(parser: Parser): Expression | undefined {
  const share = parser.share()
  const part = share ?? parser.sum()
  if (part === undefined) return undefined
  parser.take('away')
  if (!parser.take('from', 'off')) return undefined
  parser.take('of')
  const whole = parser.operand()
  return whole && (share ? lowered(whole, share) : minus(whole, part))
}

/** "From 100 subtract 37". */
function fromWhat(parser: Parser): Expression | undefined {
  const whole = parser.sum()
  parser.take(',')
  if (whole === undefined || !parser.take('subtract', 'take', 'takeaway')) return undefined
  const part = parser.operand()
  parser.take('away')
  return part && minus(whole, part)
}

function addition(parser: Parser): Expression | undefined {
  const share = parser.share()
  if (share) {
    const whole = parser.take('to') ? parser.operand() : undefined
    return whole && raised(whole, share)
  }
  return (
    parser.attempt(() => pair(parser, ['to'], (a, b) => plus(b, a))) ??
    several(parser, plus) ??
    undefined
  )
}

function product(parser: Parser): Expression | undefined {
  return parser.attempt(() => pair(parser, ['by', 'with'], times)) ?? several(parser, times)
}

function several(
  parser: Parser,
  combine: (a: Expression, b: Expression) => Expression,
): Expression | undefined {
  const items = parser.list()
  return items.length > 1 ? items.reduce(combine) : undefined
}

type Change = (whole: Expression, share: Expression) => Expression

/** "Increase 50 by 10%", "reduce 90 by 12". */
function change(parser: Parser, by: Change): Expression | undefined {
  const whole = parser.sum()
  return whole && changeBy(parser, whole, by)
}

function changeBy(parser: Parser, whole: Expression, by: Change): Expression | undefined {
  if (!parser.take('by')) return undefined
  const share = parser.share()
  if (share) return by(whole, share)
  const amount = parser.operand()
  return amount && (by === raised ? plus : minus)(whole, amount)
}

/** "250 increased by 8 percent". */
function changed(parser: Parser): Expression | undefined {
  const whole = parser.sum()
  if (whole && parser.take('increase')) return changeBy(parser, whole, raised)
  return whole && parser.take('reduce') ? changeBy(parser, whole, lowered) : undefined
}

/** "20% off 65", "a third more than 90". */
function shareOff(parser: Parser): Expression | undefined {
  return parser.attempt(() => {
    const share = parser.share()
    if (share === undefined) return undefined
    const more = parser.take('more', 'greater', 'higher')
    const off = !more && parser.take('off')
    const less = !more && !off && parser.take('less', 'lower', 'smaller')
    if (off ? false : !(more || less) || !parser.take('than')) return undefined
    const whole = parser.operand()
    return whole && (more ? raised : lowered)(whole, share)
  })
}

/** "Raise 2 to the power of 5". */
function risen(parser: Parser): Expression | undefined {
  const value = parser.operand()
  return value?.rank === 3 ? value : undefined
}

/** "The remainder when 17 is divided by 5", "the remainder of 17 divided by 5". */
function remainder(parser: Parser): Expression | undefined {
  if (!parser.take('of', 'when', 'if', 'from', 'after')) return undefined
  parser.take('you', 'i', 'we')
  const mod = (a: Expression, b: Expression): Expression => called('mod', a, b)
  const divides = parser.take('divide')
  const a = parser.operand()
  if (a === undefined || !parser.take(divides ? 'by' : '/')) return undefined
  const b = parser.operand()
  return b && mod(a, b)
}

/** One more step applied to `value`. */
function step(parser: Parser, value: Expression): Expression | undefined {
  const sign = parser.takeFrom({ '+': plus, '-': minus, '*': times, '/': over })
  if (sign) return apply(parser.operand(), (operand) => sign(value, operand))
  if (parser.take('add')) return by(parser, value, plus, ['to'])
  if (parser.take('subtract', 'take', 'takeaway', 'remove')) {
    return by(parser, value, minus, ['from', 'off'])
  }
  if (parser.take('multiply')) return byNumber(parser, value, times)
  if (parser.take('divide')) return byNumber(parser, value, over)
  if (parser.take('increase')) return itself(parser) && changeBy(parser, value, raised)
  if (parser.take('reduce')) return itself(parser) && changeBy(parser, value, lowered)
  if (parser.take('raise')) return raiseTo(parser, value)
  const onOne = parser.takeFrom(ON_ONE)
  return onOne && itself(parser) ? onOne(value) : undefined
}

/** "It", explicit or implied. */
function itself(parser: Parser): true {
  parser.take('it')
  return true
}

const apply = (
  operand: Expression | undefined,
  to: (operand: Expression) => Expression,
): Expression | undefined => operand && to(operand)

/** "Add 5 to it", "take 10% off", "subtract it from 20". */
function by(
  parser: Parser,
  value: Expression,
  sign: typeof plus,
  links: readonly string[],
): Expression | undefined {
  if (parser.take('it')) {
    if (!parser.take(...links)) return undefined
    return apply(parser.operand(), (whole) => sign(whole, value))
  }
  const share = parser.share()
  const operand = share ?? parser.operand()
  if (operand === undefined) return undefined
  parser.take('away', 'off')
  if (parser.take(...links) && !parser.take('it')) return undefined
  return share ? scaled(value, share, sign) : sign(value, operand)
}

function byNumber(parser: Parser, value: Expression, sign: typeof plus): Expression | undefined {
  parser.take('it')
  return parser.take('by') ? apply(parser.operand(), (operand) => sign(value, operand)) : undefined
}

function raiseTo(parser: Parser, value: Expression): Expression | undefined {
  parser.take('it')
  return parser.take('^')
    ? apply(parser.operand(), (exponent) => power(value, exponent))
    : changeBy(parser, value, raised)
}
