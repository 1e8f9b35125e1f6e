import type { Draw } from '../draw.ts'
import {
  an,
  capital,
  type Noun,
  type Person,
  dollars,
  people,
  person,
  said,
  WARES,
  WEEKDAYS,
} from '../english.ts'
import { type Grammar, type Made, unsettled, worth } from '../item.ts'

interface Purchase {
  readonly who: Person
  readonly ware: Noun
  readonly n: number
  readonly unit: number
}

/** Somebody, something, how many and at what price each. */
const purchase = (draw: Draw): Purchase => ({
  who: person(draw),
  ware: draw.pick(WARES),
  n: draw.int(2, 12),
  unit: draw.int(2, 15),
})

const buys = ['buys', 'bought', 'is buying', 'purchased', 'got', 'ordered'] as const

/** Tom bought 5 tickets for $60. How much did he pay in total? */
function total(draw: Draw): Made {
  const { who, ware, n, unit } = purchase(draw)
  const [count, sum] = [said(draw, n), dollars(draw, n * unit)]
  const isPast = draw.chance(0.5)
  const told = isPast
    ? draw.pick([
        `${who.name} bought ${count.text} ${ware[1]} for ${sum.text}.`,
        `${who.name} paid ${sum.text} for ${count.text} ${ware[1]}.`,
        `${who.name} spent ${sum.text} on ${count.text} ${ware[1]}.`,
        `${who.name} bought ${count.text} ${ware[1]} for a total of ${sum.text}.`,
        `Last week ${who.name} bought ${count.text} ${ware[1]} for ${sum.text}.`,
      ])
    : draw.pick([
        `${who.name} buys ${count.text} ${ware[1]} for ${sum.text}.`,
        `${who.name} pays ${sum.text} for ${count.text} ${ware[1]}.`,
        `${who.name} spends ${sum.text} on ${count.text} ${ware[1]}.`,
      ])
  const did = isPast ? 'did' : 'does'
  const [ask, right] = draw.pick([
    [`How much ${did} ${who.he} pay?`, n * unit],
    [`How much ${did} ${who.he} pay in total?`, n * unit],
    [`How much ${did} ${who.he} spend?`, n * unit],
    [`How much money ${did} ${who.he} spend altogether?`, n * unit],
    [`What ${did} ${who.he} pay in all?`, n * unit],
    [`How many ${ware[1]} ${did} ${who.he} get?`, n],
    [`What was the total?`, n * unit],
    [`How much ${did} all the ${ware[1]} cost together?`, n * unit],
  ] as const)
  return worth(`${told} ${ask}`, right)
}

/** … How much does one ticket cost? */
function unitOfTotal(draw: Draw): Made {
  const { who, ware, n, unit } = purchase(draw)
  const [count, sum] = [said(draw, n), dollars(draw, n * unit)]
  const told = draw.pick([
    `${who.name} bought ${count.text} ${ware[1]} for ${sum.text}. All of them had the same price.`,
    `${who.name} paid ${sum.text} in total for ${count.text} ${ware[1]} of the same price.`,
    `${capital(count.text)} ${ware[1]} cost ${sum.text}.`,
  ])
  const [ask, right] = draw.pick([
    [`How much does one ${ware[0]} cost?`, unit],
    [`What is the price of one ${ware[0]}?`, unit],
    [`How much is each ${ware[0]}?`, unit],
    [`How much do ${n} ${ware[1]} cost?`, n * unit],
    [`How much do ${2 * n} ${ware[1]} cost at that price?`, 2 * n * unit],
  ] as const)
  return worth(`${told} ${ask}`, right)
}

/** Prices each: the plain one. */
function each(draw: Draw): Made {
  const { who, ware, n, unit } = purchase(draw)
  const price = dollars(draw, unit)
  return worth(
    draw.pick([
      `${who.name} bought ${n} ${ware[1]} for ${price.text} each. How much did ${who.he} pay in total?`,
      `${who.name} buys ${n} ${ware[1]} at ${price.text} each. How much does ${who.he} pay?`,
      `${capital(an(ware[0]))} costs ${price.text}. How much do ${n} ${ware[1]} cost?`,
      `Each ${ware[0]} costs ${price.text}. ${who.name} buys ${n} ${ware[1]}. How much does ${who.he} pay?`,
    ]),
    n * unit,
  )
}

/** One buys, and another one is asked about. */
function otherBuyer(draw: Draw): Made {
  const { ware, n, unit } = purchase(draw)
  const [a, b] = people(draw, 2)
  if (a === undefined || b === undefined) return undefined
  const price = dollars(draw, unit).text
  const told = draw.pick([
    `${a.name} ${draw.pick(buys)} ${n} ${ware[1]} at ${price} each.`,
    `${a.name} ${draw.pick(buys)} ${n} ${ware[1]} for ${price} each for ${b.name}.`,
    `Each ${ware[0]} costs ${price}. ${a.name} ${draw.pick(buys)} ${n} ${ware[1]}. ${b.name} is ${a.his} friend.`,
    `${a.name} and ${b.name} go shopping. ${a.name} ${draw.pick(buys)} ${n} ${ware[1]} for ${price} each.`,
    `${capital(an(ware[0]))} costs ${price}. ${a.name} wants ${n} ${ware[1]}.`,
  ])
  const ask = draw.pick([
    `How much does ${b.name} pay?`,
    `How much did ${b.name} pay?`,
    `How much does ${b.name} spend in total?`,
    `How much money does ${b.name} spend?`,
    `How much does ${b.name} have to pay?`,
  ])
  return unsettled(`${told} ${ask}`, 'another person buys')
}

/** Two buy, one is asked about. */
function twoBuyers(draw: Draw): Made {
  const { ware, n, unit } = purchase(draw)
  const [a, b] = people(draw, 2)
  if (a === undefined || b === undefined) return undefined
  const [m, other] = [draw.int(2, 12), draw.int(2, 15)]
  const told = draw.pick([
    `${a.name} bought ${n} ${ware[1]} for $${unit} each. ${b.name} bought ${m} ${ware[1]} for $${other} each.`,
    `${a.name} bought ${n} ${ware[1]} at $${unit} each and ${b.name} bought ${m} ${ware[1]} at $${other} each.`,
  ])
  const [ask, right] = draw.pick([
    [`How much did ${a.name} pay?`, n * unit],
    [`How much did ${b.name} pay?`, m * other],
    [`How much did they pay together?`, n * unit + m * other],
    [`How many ${ware[1]} did ${b.name} buy?`, m],
    [`How many ${ware[1]} did they buy in all?`, n + m],
  ] as const)
  return worth(`${told} ${ask}`, right)
}

const OTHER_TIMES = [
  ['on Mondays', 'on Tuesday'],
  ['on weekdays', 'on Sunday'],
  ['in summer', 'in winter'],
  ['for children', 'for adults'],
  ['before noon', 'in the evening'],
  ['at the market', 'at the mall'],
  ['in Paris', 'in Rome'],
  ['for members', 'as a guest'],
  ['online', 'in the store'],
  ['at the old shop', 'at the new shop'],
  ['last year', 'this year'],
  ['yesterday', 'today'],
  ['last week', 'now'],
  ['for students', 'for teachers'],
] as const

/** The price holds at a time, at a place or for people that are not asked about. */
function otherTerms(draw: Draw): Made {
  const { who, ware, n, unit } = purchase(draw)
  const price = dollars(draw, unit).text
  const [then, now] = draw.pick(OTHER_TIMES)
  const told = draw.pick([
    `${capital(then)} ${ware[1]} cost ${price} each.`,
    `${capital(ware[1])} cost ${price} each ${then}.`,
    `The price of ${an(ware[0])} ${then} ${/last|yesterday/.test(then) ? 'was' : 'is'} ${price}.`,
  ])
  const ask = draw.pick([
    `How much do ${n} ${ware[1]} cost ${now}?`,
    `${who.name} buys ${n} ${ware[1]} ${now}. How much does ${who.he} pay?`,
    `What does ${who.name} pay for ${n} ${ware[1]} ${now}?`,
  ])
  return unsettled(`${told} ${ask}`, 'the price holds elsewhere')
}

/** The price holds on one condition, and whether that is given is not said. */
function someTerms(draw: Draw): Made {
  const { who, ware, n, unit } = purchase(draw)
  const price = dollars(draw, unit).text
  const many = capital(ware[1])
  const told = draw.pick([
    `${many} cost ${price} each on ${draw.pick(WEEKDAYS)}s.`,
    `${many} cost ${price} each for children.`,
    `${many} cost ${price} each for members.`,
    `${many} cost ${price} each for an adult.`,
    `${many} cost ${price} each after six o'clock.`,
    `${many} cost ${price} each with a coupon.`,
    `${many} used to cost ${price} each.`,
    `${many} cost ${price} each yesterday.`,
    `${many} cost ${price} each last year.`,
    `${many} will cost ${price} each next month.`,
    `${many} might cost ${price} each.`,
    `Some ${ware[1]} cost ${price} each.`,
    `${many} cost at least ${price} each.`,
    `${many} cost about ${price} each.`,
    `${many} cost ${price} each or less.`,
    `If ${who.name} is a student, ${ware[1]} cost ${price} each.`,
    `Small ${ware[1]} cost ${price} each.`,
    `${many} cost ${price} each in one shop and $${unit + draw.int(1, 5)} each in another.`,
  ])
  const ask = draw.pick([
    `${who.name} buys ${n} ${ware[1]}. How much does ${who.he} pay?`,
    `How much do ${n} ${ware[1]} cost?`,
    `${who.name} buys ${n} ${ware[1]} today. How much does ${who.he} pay in total?`,
  ])
  return unsettled(`${told} ${ask}`, 'whether the price holds is not said')
}

/** Both prices are told, and which one holds. */
function chosenTerms(draw: Draw): Made {
  const { who, ware, n, unit } = purchase(draw)
  const [then, now] = draw.pick(OTHER_TIMES)
  const other = unit + draw.int(1, 9)
  const isFirst = draw.chance(0.5)
  const isPast = isFirst && /last|yesterday/.test(then)
  const terms = isFirst ? then : now
  return worth(
    `${capital(ware[1])} cost $${unit} each ${then} and $${other} each ${now}. ` +
      (isPast
        ? `${who.name} bought ${n} ${ware[1]} ${terms}. How much did ${who.he} pay?`
        : `How much do ${n} ${ware[1]} cost ${terms}?`),
    n * (isFirst ? unit : other),
  )
}

/** The cut may be off each or off the sum. */
function openDiscount(draw: Draw): Made {
  const { who, ware, n, unit } = purchase(draw)
  const off = draw.int(1, 5)
  const price = unit + 6
  return unsettled(
    draw.pick([
      `${who.name} buys ${n} ${ware[1]} at $${price} each with a $${off} discount. How much does ${who.he} pay?`,
      `${who.name} buys ${n} ${ware[1]} at $${price} each and gets $${off} off. How much does ${who.he} pay?`,
      `${capital(an(ware[0]))} costs $${price}. ${who.name} buys ${n} at a discount of $${off}. How much does ${who.he} pay?`,
      `${who.name} buys ${n} ${ware[1]} at $${price} each, reduced by $${off}. How much does ${who.he} pay in total?`,
    ]),
    'off each or off the sum',
  )
}

/** Reduced by is not reduced to. */
function byOrTo(draw: Draw): Made {
  const { ware, unit } = purchase(draw)
  const [old, cut] = [unit + 20, draw.int(2, 9)]
  const isTo = draw.chance(0.5)
  const [less, more] = [isTo ? cut : old - cut, old + cut]
  const down = draw.chance(0.5)
  const by = isTo ? `to $${down ? less : more}` : `by $${cut}`
  const verb = down ? draw.pick(['reduced', 'lowered', 'cut']) : draw.pick(['raised', 'increased'])
  const now = down ? less : more
  const [ask, right] = draw.pick([
    [`How much does the ${ware[0]} cost now?`, now],
    [`What is the new price?`, now],
    [`How much did the ${ware[0]} cost before?`, old],
    [`By how much did the price change?`, Math.abs(old - now)],
  ] as const)
  return worth(`${capital(an(ware[0]))} cost $${old}. The price was ${verb} ${by}. ${ask}`, right)
}

/** Buy two and get one free. */
function dealsOfThree(draw: Draw): Made {
  const { who, ware, unit } = purchase(draw)
  const groups = draw.int(2, 5)
  return worth(
    draw.pick([
      `${capital(an(ware[0]))} costs $${unit}. For every two ${ware[1]} you buy you get a third one free. How much do ${3 * groups} ${ware[1]} cost?`,
      `${capital(ware[1])} cost $${unit} each, but every third one is free. ${who.name} takes ${3 * groups} ${ware[1]}. How much does ${who.he} pay?`,
    ]),
    2 * groups * unit,
  )
}

/** The unit of sale holds several. */
function packs(draw: Draw): Made {
  const { who, ware, n, unit } = purchase(draw)
  const k = draw.int(2, 6)
  const [ask, right] = draw.pick([
    [`How much does one pack cost?`, n * unit],
    [`How much do ${k} packs cost?`, k * n * unit],
    [`How many ${ware[1]} are in ${k} packs?`, k * n],
    [`${who.name} buys ${k} packs. How much does ${who.he} pay?`, k * n * unit],
    [`How much does one ${ware[0]} in the pack cost?`, unit],
  ] as const)
  return worth(`A pack of ${n} ${ware[1]} costs $${n * unit}. ${ask}`, right)
}

/** A question about the change from a payment. */
function change(draw: Draw): Made {
  const { who, ware, n, unit } = purchase(draw)
  const bill = draw.pick([50, 100, 200, 500])
  if (bill <= n * unit) return undefined
  const told = `${who.name} buys ${n} ${ware[1]} at $${unit} each and pays with a $${bill} bill.`
  const [ask, right] = draw.pick([
    [`How much change does ${who.he} get?`, bill - n * unit],
    [`How much do the ${ware[1]} cost?`, n * unit],
    [`How much money does ${who.he} hand over?`, bill],
  ] as const)
  return worth(`${told} ${ask}`, right)
}

/** The price is for one of two things. */
function otherWare(draw: Draw): Made {
  const [a, b] = draw.some(WARES, 2)
  const { who, n, unit } = purchase(draw)
  if (a === undefined || b === undefined) return undefined
  return unsettled(
    draw.pick([
      `${capital(an(a[0]))} costs $${unit}. How much do ${n} ${b[1]} cost?`,
      `${who.name} buys ${n} ${a[1]} at $${unit} each and ${an(b[0])}. How much does ${who.he} pay in total?`,
      `${who.name} buys ${n} ${a[1]} and ${n + 1} ${b[1]}. Each ${a[0]} costs $${unit}. How much does ${who.he} pay in total?`,
      `${who.name} buys ${n} ${a[1]} and some ${b[1]} for $${unit} each. How much does ${who.he} pay in all?`,
      `${capital(an(a[0]))} costs $${unit} more than ${an(b[0])}. ${who.name} buys ${n} ${a[1]}. How much does ${who.he} pay?`,
    ]),
    'a price is missing',
  )
}

export const PRICES: readonly Grammar[] = [
  { kind: 'prices: total told', make: total },
  { kind: 'prices: one of a total', make: unitOfTotal },
  { kind: 'prices: another buyer', make: otherBuyer },
  { kind: 'prices: two buyers', make: twoBuyers },
  { kind: 'prices: at another time, place, for others', make: otherTerms },
  { kind: 'prices: on terms that may not hold', make: someTerms },
  { kind: 'prices: on terms that are chosen', make: chosenTerms },
  { kind: 'prices: discount of each or of all', make: openDiscount },
  { kind: 'prices: reduced by or to', make: byOrTo },
  { kind: 'prices: every third is free', make: dealsOfThree },
  { kind: 'prices: packs', make: packs },
  { kind: 'prices: change', make: change },
  { kind: 'prices: another ware', make: otherWare },
  { kind: 'price each', control: true, make: each },
]
