import type { Draw } from '../draw.ts'
import {
  an,
  capital,
  COLORS,
  CONTAINERS,
  type Noun,
  people,
  type Person,
  person,
  said,
  THINGS,
} from '../english.ts'
import { type Grammar, type Made, unsettled, worth } from '../item.ts'

interface Holding {
  readonly who: Person
  readonly noun: Noun
  readonly had: number
  readonly less: number
  readonly more: number
}

const holding = (draw: Draw): Holding => ({
  who: person(draw),
  noun: draw.pick(THINGS),
  had: draw.int(12, 60),
  less: draw.int(2, 10),
  more: draw.int(2, 20),
})

function pair(draw: Draw): readonly [Person, Person] {
  const [a, b] = people(draw, 2)
  if (a === undefined || b === undefined) throw new RangeError('nobody')
  return [a, b]
}

/** Not done yet, not done at all, or without an actor: the holdings stay. */
function undone(draw: Draw): Made {
  const { who, noun, had, less, more } = holding(draw)
  const friend = person(draw).name
  const things = noun[1]
  const happens = draw.pick([
    `${who.he} will buy ${more} ${things} tomorrow.`,
    `${who.he} is going to buy ${more} more ${things} next week.`,
    `${who.he} plans to buy ${more} more ${things}.`,
    `${who.he} wants to buy ${more} more ${things}.`,
    `${who.he} would like to have ${more} more ${things}.`,
    `${who.he} hopes to get ${more} ${things} for ${who.his} birthday.`,
    `${who.he} could buy ${more} more ${things}.`,
    `${who.he} can win ${more} ${things} in a contest.`,
    `${who.he} may get ${more} more ${things}.`,
    `${who.he} might give ${less} ${things} to ${friend}.`,
    `${who.he} did not buy ${more} more ${things}.`,
    `${who.he} almost lost ${less} ${things}.`,
    `${who.he} nearly sold ${less} ${things}.`,
    `${who.he} refused to give ${friend} ${less} ${things}.`,
    `${who.he} forgot to buy ${more} more ${things}.`,
    `${who.he} failed to sell ${less} ${things}.`,
    `${who.he} never sold ${less} ${things}.`,
    `${who.he} promised to give ${friend} ${less} ${things} next month.`,
    `${who.he} will give ${less} ${things} to ${friend} tomorrow.`,
    `${who.he} decided not to sell ${less} ${things}.`,
    `${who.he} thinks about selling ${less} ${things}.`,
    `${friend} asked ${who.him} for ${less} ${things}, but ${who.he} said no.`,
    `${who.he} would have bought ${more} more ${things}, but the shop was closed.`,
    `${who.he} dreamed of losing ${less} ${things}.`,
    `${who.he} tried to sell ${less} ${things}, but nobody wanted them.`,
  ])
  const told = draw.pick([
    `${who.name} has ${had} ${things}. ${capital(happens)}`,
    `${who.name} has ${had} ${things} and ${happens}`,
  ])
  return worth(`${told} How many ${things} does ${who.name} have now?`, had)
}

/** The outcome depends on something unstated. */
function conditional(draw: Draw): Made {
  const { who, noun, had, less, more } = holding(draw)
  const things = noun[1]
  const told = draw.pick([
    `If it rains, ${who.he} sells ${less} ${things}.`,
    `If the shop was open, ${who.he} bought ${more} ${things}.`,
    `Unless it rained, ${who.he} sold ${less} ${things}.`,
    `Maybe ${who.he} lost ${less} ${things}.`,
    `Perhaps ${who.he} bought ${more} more ${things}.`,
    `${who.He} probably gave away ${less} ${things}.`,
    `${who.He} lost ${less} or ${less + 1} ${things}.`,
    `${who.He} gave away some ${things}.`,
    `${who.He} gave away a few ${things}.`,
    `${who.He} sold at least ${less} ${things}.`,
    `${who.He} sold about ${less} ${things}.`,
    `${who.He} sold up to ${less} ${things}.`,
    `${who.He} sold fewer than ${less} ${things}.`,
    `${who.He} sold between ${less} and ${less + 3} ${things}.`,
    `${who.He} sold ${less} ${things} and lost several others.`,
    `${who.His} brother thinks that ${who.he} lost ${less} ${things}.`,
  ])
  return unsettled(
    `${who.name} had ${had} ${things}. ${told} How many ${things} does ${who.name} have now?`,
    'how many went is not said',
  )
}

/** Earlier and later amounts, and a question about one time. */
function otherTime(draw: Draw): Made {
  const { who, noun, had, less, more } = holding(draw)
  const things = noun[1]
  const [text, right] = draw.pick([
    [
      `${who.name} has ${had} ${things} after buying ${less} ${things}. How many ${things} did ${who.he} have before?`,
      had - less,
    ],
    [
      `${who.name} has ${had} ${things} after buying ${less} ${things}. How many ${things} does ${who.he} have?`,
      had,
    ],
    [
      `${who.name} has ${had} ${things} after giving away ${less}. How many ${things} does ${who.he} have now?`,
      had,
    ],
    [
      `${who.name} has ${had} ${things} left after giving away ${less}. How many ${things} did ${who.he} have at first?`,
      had + less,
    ],
    [
      `After selling ${less} ${things}, ${who.name} has ${had} ${things}. How many ${things} did ${who.he} have before?`,
      had + less,
    ],
    [
      `Before ${who.he} sold ${less} ${things}, ${who.name} had ${had} ${things}. How many ${things} did ${who.he} have then?`,
      had - less,
    ],
    [
      `${who.name} has ${had} ${things}. Yesterday ${who.he} had ${more} more than today. How many ${things} did ${who.he} have yesterday?`,
      had + more,
    ],
    [
      `${who.name} has ${had} ${things}. Yesterday ${who.he} had ${more} more than today. How many ${things} does ${who.he} have today?`,
      had,
    ],
    [
      `${who.name} had ${had + less} ${things} last week and has ${had} now. How many ${things} fewer does ${who.he} have now?`,
      less,
    ],
    [
      `${who.name} has ${had} ${things}. Tomorrow ${who.he} will buy ${more} more. How many ${things} will ${who.he} have tomorrow?`,
      had + more,
    ],
    [
      `${who.name} had ${had} ${things} this morning, ${more} more than last night. How many ${things} did ${who.he} have last night?`,
      had - more,
    ],
    [
      `Last year ${who.name} sold ${less} ${things}. Today ${who.he} has ${had} ${things}. How many ${things} does ${who.he} have today?`,
      had,
    ],
    [
      `${who.name} has ${had} ${things} now. ${who.He} started with ${had + less}. How many did ${who.he} lose?`,
      less,
    ],
    [
      `${who.name} found ${more} ${things} and now has ${had + more}. How many ${things} did ${who.he} have at the beginning?`,
      had,
    ],
    [
      `${who.name} lost ${less} ${things} and now has ${had} ${things}. How many ${things} did ${who.he} have to begin with?`,
      had + less,
    ],
    [
      `${who.name} gave ${less} ${things} to a friend and has ${had} left. How many ${things} does ${who.he} have?`,
      had,
    ],
  ] as const)
  return right <= 0 ? undefined : worth(text, right)
}

/** Two events, one of which is asked for. */
function oneOfTwo(draw: Draw): Made {
  const { who, noun, had, less, more } = holding(draw)
  const things = noun[1]
  const other = draw.int(1, 5)
  if (had - less - other <= 0) return undefined
  const b = person(draw)
  if (b.name === who.name) return undefined
  const [told, asks] = draw.pick([
    [
      `${who.name} had ${had} ${things}. ${who.He} sold ${less} and gave ${other} to ${b.name}.`,
      [
        ['did NAME sell', less],
        ['did NAME give away', other],
        ['did NAME have at first', had],
        ['does NAME have left', had - less - other],
      ],
    ],
    [
      `${who.name} had ${had} ${things}. ${who.He} lost ${less} ${things} and found ${more} ${things}.`,
      [
        ['did NAME lose', less],
        ['did NAME find', more],
        ['does NAME have now', had - less + more],
      ],
    ],
    [
      `${who.name} picked ${had} ${things} in the morning and ${more} in the afternoon. ${who.He} sold ${less} of them.`,
      [
        ['did NAME pick in the morning', had],
        ['did NAME pick in all', had + more],
        ['did NAME sell', less],
        ['does NAME have left', had + more - less],
      ],
    ],
    [
      `${b.name} gave ${who.name} ${more} ${things}. ${who.name} already had ${had} ${things}.`,
      [
        ['did NAME have before', had],
        ['did NAME get', more],
        ['does NAME have now', had + more],
      ],
    ],
  ] as const)
  const [ask, right] = draw.pick<readonly [string, number]>(asks)
  return worth(`${told} How many ${things} ${ask.replace('NAME', who.name)}?`, right)
}

/** Giver and receiver are unclear. */
function unclearGiver(draw: Draw): Made {
  const { noun, had, less } = holding(draw)
  const [a, b] = pair(draw)
  if (a.he !== b.he) return undefined
  const things = noun[1]
  const start = `${a.name} has ${had} ${things} and ${b.name} has ${had + 3} ${things}.`
  const told = draw.pick([
    `${a.He} gave ${a.him} ${less} ${things}.`,
    `One gave the other ${less} ${things}.`,
    `${less} ${things} changed hands.`,
    `They traded ${less} ${things}.`,
    `One of them lost ${less} ${things}.`,
    `${a.His} ${draw.pick(['brother', 'sister', 'friend'])} took ${less} ${things}.`,
    `${less} of the ${things} were given to the other.`,
  ])
  const asked = draw.pick([a, b]).name
  return unsettled(
    `${start} ${told} How many ${things} does ${asked} have now?`,
    'who gives is not said',
  )
}

/** A passes some to B: each end, and both together. */
function transfer(draw: Draw): Made {
  const { noun, had, less, more } = holding(draw)
  const [a, b] = pair(draw)
  const things = noun[1]
  const gives = draw.pick([
    `${a.name} gives ${b.name} ${less} ${things}.`,
    `${a.name} gives ${less} ${things} to ${b.name}.`,
    `${b.name} gets ${less} ${things} from ${a.name}.`,
    `${b.name} takes ${less} of ${a.name}'s ${things}.`,
    `${b.name} is given ${less} ${things} by ${a.name}.`,
    `${a.name} sells ${b.name} ${less} ${things}.`,
    `${b.name} buys ${less} ${things} from ${a.name}.`,
    `${b.name} borrows ${less} ${things} from ${a.name}.`,
    `${a.name} lends ${b.name} ${less} ${things}.`,
    `${a.name} loses ${less} ${things} to ${b.name} in a game.`,
    `${b.name} wins ${less} ${things} from ${a.name}.`,
  ])
  const [ask, right] = draw.pick([
    [`does ${a.name} have now`, had - less],
    [`does ${b.name} have now`, more + less],
    [`do they have together now`, had + more],
    [`did ${a.name} have at first`, had],
    [`more does ${a.name} have than ${b.name} now`, had - less - (more + less)],
  ] as const)
  if (right < 0) return undefined
  const text = `${a.name} has ${had} ${things} and ${b.name} has ${more} ${things}. ${gives} How many ${things} ${ask}?`
  return worth(text.replace(`How many ${things} more`, `How many more ${things}`), right)
}

/** `them`, `the rest`, `half of her money`: which of two amounts is unclear. */
function unclearShare(draw: Draw): Made {
  const { who, had, less } = holding(draw)
  const [a, b] = draw.some(THINGS, 2)
  if (a === undefined || b === undefined) return undefined
  const even = had * 4
  const part = draw.pick(['half', 'a quarter'])
  return unsettled(
    draw.pick([
      `${who.name} has ${even} ${a[1]} and ${even + 8} ${b[1]}. ${who.He} gives away ${part} of them. How many ${a[1]} does ${who.he} have left?`,
      `${who.name} has ${even} ${a[1]} and ${even + 8} ${b[1]}. ${who.He} gives ${less} of them to a friend. How many ${b[1]} does ${who.he} have left?`,
      `${who.name} has ${even} ${a[1]} and ${even + 8} ${b[1]}. ${who.He} loses ${less}. How many ${a[1]} does ${who.he} have left?`,
      `${who.name} had $${even}. ${who.He} spent $${less * 2} on ${an(a[0])} and ${part} of ${who.his} money on ${an(b[0])}. How much money does ${who.he} have left?`,
      `${who.name} had $${even} and spent $${less * 2} on ${a[1]} and ${part} of it on ${b[1]}. How much money does ${who.he} have left?`,
      `${who.name} had ${even} ${a[1]}. ${who.He} sold ${less * 2} and gave ${part} of the ${a[1]} to ${who.his} sister. How many ${a[1]} does ${who.he} have left?`,
      `${who.name} has ${even} ${a[1]} and ${even + 4} ${b[1]}. Half are broken. How many ${a[1]} are broken?`,
      `${who.name} spent ${part} of ${who.his} money on ${an(a[0])} that cost $${less}, and then $${less} more. ${who.He} had earned $${even} before. How much did ${who.he} have left?`,
    ]),
    'a share of which amount is not said',
  )
}

/** Shares whose whole is stated. */
function clearShare(draw: Draw): Made {
  const { who, less, noun } = holding(draw)
  const whole = draw.int(3, 15) * 12
  const things = noun[1]
  const cost = less
  const [text, right] = draw.pick([
    [
      `${who.name} had $${whole}. ${who.He} spent half of ${who.his} money on a book and then $${cost} on lunch. How much money does ${who.he} have left?`,
      whole / 2 - cost,
    ],
    [
      `${who.name} had $${whole + cost}. ${who.He} spent $${cost} on lunch and then half of what was left on a book. How much money does ${who.he} have left?`,
      whole / 2,
    ],
    [
      `${who.name} had ${whole} ${things}. ${who.He} gave away a third of them and then a quarter of the rest. How many ${things} are left?`,
      whole / 2,
    ],
    [
      `${who.name} had ${whole} ${things}. ${who.He} gave a third of them to one friend and a quarter of the original number to another. How many ${things} are left?`,
      (whole * 5) / 12,
    ],
    [
      `${who.name} had ${whole} ${things}. ${who.He} kept a third of them and gave the rest away. How many ${things} did ${who.he} give away?`,
      (whole * 2) / 3,
    ],
    [
      `Half of ${who.name}'s ${whole} ${things} are red. A third of the red ones are broken. How many ${things} are red and broken?`,
      whole / 6,
    ],
    [
      `${who.name} had ${whole} ${things}. ${who.He} lost all but ${cost} of them. How many ${things} does ${who.he} have left?`,
      cost,
    ],
    [
      `${who.name} had ${whole} ${things}. ${who.He} lost all but ${cost} of them. How many ${things} did ${who.he} lose?`,
      whole - cost,
    ],
    [
      `Of ${whole} ${things}, a quarter are red and the others are blue. How many ${things} are blue?`,
      (whole * 3) / 4,
    ],
    [
      `${who.name} spent half of ${who.his} money on a book. The book cost $${whole}. How much money did ${who.he} have at first?`,
      whole * 2,
    ],
    [
      `${who.name} spent half of ${who.his} money on a book. The book cost $${whole}. How much did the book cost?`,
      whole,
    ],
    [
      `${who.name} gave half of ${who.his} ${things} to a friend and has ${whole} left. How many ${things} did ${who.he} give away?`,
      whole,
    ],
  ] as const)
  return worth(text, right)
}

/** A story about one owner or place, and a question about another. */
function otherOwner(draw: Draw): Made {
  const { noun, had, more } = holding(draw)
  const [a, b] = pair(draw)
  const [c, d] = draw.some(COLORS, 2)
  const other = draw.pick(THINGS)
  if (other === noun) return undefined
  const things = noun[1]
  return unsettled(
    draw.pick([
      `${a.name} has ${had} ${things}. ${a.He} buys ${more} more. How many ${things} does ${b.name} have?`,
      `${a.name} has ${had} ${things} and ${more} ${other[1]}. How many ${c ?? ''} ${things} does ${a.he} have?`,
      `${a.name} has ${had} ${c ?? ''} ${things} and buys ${more} ${things}. How many ${d ?? ''} ${things} does ${a.he} have?`,
      `${a.name} and ${b.name} have ${had} ${things}. How many ${things} does ${a.name} have?`,
      `${a.name} and ${b.name} have ${had} ${things} together. How many ${things} does each have?`,
      `${a.name} has ${had} ${things} at home. How many ${things} does ${a.he} have at school?`,
      `${a.name} had ${had} ${things}. ${b.name} lost ${more} ${things}. How many ${things} does ${b.name} have now?`,
      `${a.name} gave ${b.name} ${more} ${things}. How many ${things} does ${b.name} have now?`,
      `${a.name} gave ${b.name} ${more} of ${a.his} ${things}. How many ${things} does ${a.name} have left?`,
      `${a.name} has ${more} more ${things} than ${b.name}. How many ${things} does ${a.name} have?`,
      `${a.name} has ${had} more ${things} than ${b.name} and some other friend. How many ${things} does ${b.name} have?`,
      `There are ${had} ${things} in the kitchen and ${more} in the hall. How many ${things} are in the garage?`,
      `${a.name} moved ${more} ${things} from the kitchen to the hall. How many ${things} are in the hall?`,
    ]),
    'nothing is told of what is asked for',
  )
}

/** Other people's things, which are not asked about. */
function besides(draw: Draw): Made {
  const { noun, had, less, more } = holding(draw)
  const [a, b] = pair(draw)
  const other = draw.pick(THINGS)
  if (other === noun) return undefined
  const things = noun[1]
  const [text, right] = draw.pick([
    [
      `${a.name} has ${had} ${things} and ${b.name} has ${more}. ${b.name} loses ${less % more}. How many ${things} does ${a.name} have?`,
      had,
    ],
    [
      `${a.name} has ${had} ${things} and ${more} ${other[1]}. ${a.He} sells ${less} ${things}. How many ${other[1]} does ${a.he} have?`,
      more,
    ],
    [
      `${a.name}, who is ${more} years old, has ${had} ${things}. ${a.He} sells ${less} ${things}. How many ${things} does ${a.he} have left?`,
      had - less,
    ],
    [
      `${a.name} lives at number ${more}. ${a.He} had ${had} ${things} and lost ${less}. How many ${things} does ${a.he} have now?`,
      had - less,
    ],
    [
      `At stop ${more}, ${less} people got off bus ${had}. Before that there were ${had + less} people on it. How many people are on the bus now?`,
      had,
    ],
    [
      `On page ${more} of the catalog ${a.name} found ${had} ${things}; ${less} of them were too expensive. How many ${things} on that page were not too expensive?`,
      had - less,
    ],
    [
      `There are ${had} ${things} in the kitchen and ${more} in the hall. How many ${things} are in the hall?`,
      more,
    ],
    [
      `There are ${had} ${things} in the kitchen. ${a.name} carries ${less} of them to the hall. How many ${things} are left in the kitchen?`,
      had - less,
    ],
    [
      `${a.name} has ${had} ${things}, ${less} of which are broken. How many ${things} does ${a.name} have?`,
      had,
    ],
    [
      `${a.name} has ${had} ${things}. ${less} of them are from ${b.name}. How many ${things} does ${a.name} have?`,
      had,
    ],
    [
      `${a.name} has ${had} ${things} and ${b.name} gets ${more} ${other[1]}. How many ${things} does ${a.name} have?`,
      had,
    ],
  ] as const)
  return worth(text, right)
}

/** Boxes and their contents. */
function unclearGroups(draw: Draw): Made {
  const { who, noun, less, more } = holding(draw)
  const box = draw.pick(CONTAINERS)
  const things = noun[1]
  return unsettled(
    draw.pick([
      `There are ${less} ${box[1]} with ${less * more} ${things}. How many ${things} are there?`,
      `${who.name} bought ${less} ${box[1]} of ${more} ${box[1]}. How many ${box[1]} does ${who.he} have?`,
      `${who.name} has ${less} ${box[1]} of ${more} ${box[1]} of ${things}. How many ${things} does ${who.he} have?`,
      `A ${box[0]} holds ${less} ${box[1]} with ${more} ${things}. How many ${things} does it hold?`,
      `A ${box[0]} holds ${less} ${things}. A ${box[0]} holds ${more} ${things}. How many ${things} do 3 ${box[1]} hold?`,
      `${who.name} has ${less} ${box[1]} and ${more} ${things}. How many ${things} are in each ${box[0]}?`,
      `${who.name} puts ${less * more} ${things} into ${less} ${box[1]}. How many ${things} are in the first ${box[0]}?`,
      `${who.name} has ${less} ${box[1]}. In some there are ${more} ${things}. How many ${things} does ${who.he} have?`,
      `${who.name} has ${less} ${box[1]}. One of them holds ${more} ${things}. How many ${things} does ${who.he} have in all?`,
    ]),
    'in each or in all',
  )
}

function clearGroups(draw: Draw): Made {
  const { who, noun, less, more } = holding(draw)
  const box = draw.pick(CONTAINERS)
  const things = noun[1]
  const [text, right] = draw.pick([
    [
      `${who.name} has ${less} ${box[1]} with ${less * more} ${things} altogether. How many ${things} does ${who.he} have?`,
      less * more,
    ],
    [
      `${less} ${box[1]} hold ${less * more} ${things} in total. How many ${things} do they hold?`,
      less * more,
    ],
    [
      `There are ${less * more} ${things} in each of ${less} ${box[1]}. How many ${things} are there?`,
      less * less * more,
    ],
    [
      `${who.name} has ${less} ${box[1]} of ${more} ${things}. None is missing. How many ${box[1]} does ${who.he} have?`,
      less,
    ],
    [
      `${who.name} has ${less + 1} ${box[1]} with ${more} ${things} each. ${who.He} gives away one ${box[0]}. How many ${box[1]} does ${who.he} have?`,
      less,
    ],
    [
      `${who.name} has ${less + 1} ${box[1]} with ${more} ${things} each. ${who.He} gives away one ${box[0]}. How many ${things} does ${who.he} have?`,
      less * more,
    ],
    [
      `${who.name} has ${less} ${box[1]} with ${more} ${things} each. ${who.He} takes one ${noun[0]} out of each ${box[0]}. How many ${things} are left in the ${box[1]}?`,
      less * (more - 1),
    ],
    [
      `${who.name} has ${less} full ${box[1]} of ${more} ${things} each and ${less} loose ${things}. How many ${things} does ${who.he} have?`,
      less * more + less,
    ],
    [
      `${who.name} has ${less} empty ${box[1]}. A full ${box[0]} would hold ${more} ${things}. How many ${things} are in the ${box[1]}?`,
      0,
    ],
    [
      `Each of ${less} ${box[1]} could hold ${more} ${things}, but each is half full. How many ${things} are there in all?`,
      (less * more) / 2,
    ],
  ] as const)
  return worth(text, right)
}

/** Three times more: three times as many, or four. */
function timesMore(draw: Draw): Made {
  const { noun, had, less } = holding(draw)
  const [a, b] = pair(draw)
  const many = noun[1]
  return unsettled(
    draw.pick([
      `${a.name} has ${had} ${many}. ${b.name} has ${draw.pick(['three', 'four', 'two', '5'])} times more ${many} than ${a.name}. How many ${many} does ${b.name} have?`,
      `${a.name} has ${had * 12} ${many}. ${b.name} has ${draw.pick(['three', 'four', 'two'])} times fewer ${many} than ${a.name}. How many ${many} does ${b.name} have?`,
      `${a.name} has ${less} more ${many} than ${b.name} and Uma. ${b.name} has ${had} ${many} and Uma has ${had + 5}. How many ${many} does ${a.name} have?`,
    ]),
    'three times as many or four, more than each or than all',
  )
}

/** More, fewer, times as many: asked from either end. */
function relations(draw: Draw): Made {
  const { noun, had, less } = holding(draw)
  const [a, b] = pair(draw)
  const things = noun[1]
  const k = draw.int(2, 5)
  const [text, right] = draw.pick([
    [
      `${a.name} has ${had} ${things}, ${less} more than ${b.name}. How many ${things} does ${b.name} have?`,
      had - less,
    ],
    [
      `${a.name} has ${had} ${things}, ${less} more than ${b.name}. How many ${things} does ${a.name} have?`,
      had,
    ],
    [
      `${a.name} has ${had} ${things}, ${less} fewer than ${b.name}. How many ${things} does ${b.name} have?`,
      had + less,
    ],
    [
      `${a.name} has ${less} fewer ${things} than ${b.name}. ${a.name} has ${had}. How many ${things} does ${b.name} have?`,
      had + less,
    ],
    [
      `${a.name} has ${had * k} ${things}, ${k} times as many as ${b.name}. How many ${things} does ${b.name} have?`,
      had,
    ],
    [
      `${a.name} has ${k} times as many ${things} as ${b.name}. Together they have ${had * (k + 1)}. How many ${things} does ${b.name} have?`,
      had,
    ],
    [
      `${a.name} has ${had} ${things}. ${b.name} has half as many. How many ${things} do they have together?`,
      (had * 3) / 2,
    ],
    [
      `${a.name} has ${had} ${things}, ${less} more than ${b.name}. How many ${things} do they have together?`,
      2 * had - less,
    ],
    [
      `${a.name} has ${had} ${things} and ${b.name} has ${less}. How many ${things} must ${b.name} get to have as many as ${a.name}?`,
      had - less,
    ],
    [
      `${a.name} has ${had + 2 * less} ${things} and ${b.name} has ${had}. How many must ${a.name} give to ${b.name} so that both have the same number?`,
      less,
    ],
    [
      `${a.name} and ${b.name} each have ${had} ${things}. How many ${things} do they have together?`,
      2 * had,
    ],
    [
      `If ${a.name} had ${less} more ${things}, ${a.he} would have ${had}. How many ${things} does ${a.name} have?`,
      had - less,
    ],
    [
      `If ${a.name} had ${less} fewer ${things}, ${a.he} would have ${had}. How many ${things} does ${a.name} have?`,
      had + less,
    ],
    [
      `${a.name} needs ${had} ${things} and has ${less}. How many ${things} does ${a.he} need in all?`,
      had,
    ],
    [
      `${a.name} needs ${had} ${things} and has ${less}. How many more ${things} does ${a.he} need?`,
      had - less,
    ],
    [
      `${a.name} has ${had} ${things}. That is ${less} less than ${a.he} wants. How many ${things} does ${a.he} want?`,
      had + less,
    ],
  ] as const)
  return worth(text, right)
}

/** Plain: have, get, lose. */
function plain(draw: Draw): Made {
  const { who, noun, had, less, more } = holding(draw)
  const [a, b] = pair(draw)
  const things = noun[1]
  const [text, right] = draw.pick([
    [
      `${who.name} had ${had} ${things}. ${who.He} gave away ${said(draw, less).text} ${things}. How many ${things} does ${who.name} have now?`,
      had - less,
    ],
    [
      `${who.name} has ${had} ${things}. ${who.He} buys ${more} more ${things}. How many ${things} does ${who.he} have now?`,
      had + more,
    ],
    [
      `${a.name} has ${had} ${things} and ${b.name} has ${more} ${things}. How many ${things} do they have together?`,
      had + more,
    ],
    [
      `${a.name} has ${had} ${things}. ${b.name} has ${more} ${things}. How many ${things} do they have altogether?`,
      had + more,
    ],
    [
      `${who.name} had ${had} ${things} and lost ${less} ${things}. How many ${things} does ${who.he} have left?`,
      had - less,
    ],
    [
      `${who.name} had ${had} ${things}. ${who.He} bought ${more} ${things} and sold ${less} ${things}. How many ${things} does ${who.he} have now?`,
      had + more - less,
    ],
    [
      `${a.name} has ${less} more ${things} than ${b.name}. ${b.name} has ${had} ${things}. How many ${things} does ${a.name} have?`,
      had + less,
    ],
  ] as const)
  return worth(text, right)
}

function plainGroups(draw: Draw): Made {
  const { who, noun, less, more } = holding(draw)
  const box = draw.pick(CONTAINERS)
  const things = noun[1]
  const [text, right] = draw.pick([
    [
      `${who.name} has ${less} ${box[1]} with ${more} ${things} each. How many ${things} does ${who.he} have in all?`,
      less * more,
    ],
    [
      `There are ${more} ${things} in each ${box[0]}. How many ${things} are in ${less} ${box[1]}?`,
      less * more,
    ],
    [
      `${who.name} puts ${less * more} ${things} into ${less} ${box[1]} equally. How many ${things} are in each ${box[0]}?`,
      more,
    ],
    [
      `${who.name} shares ${less * more} ${things} equally among ${less} friends. How many ${things} does each friend get?`,
      more,
    ],
  ] as const)
  return worth(text, right)
}

export const HOLDINGS: readonly Grammar[] = [
  { kind: 'holdings: not done', make: undone },
  { kind: 'holdings: on a condition, or so many', make: conditional },
  { kind: 'holdings: another time', make: otherTime },
  { kind: 'holdings: one of two events', make: oneOfTwo },
  { kind: 'holdings: who gives is unclear', make: unclearGiver },
  { kind: 'holdings: transfer', make: transfer },
  { kind: 'holdings: share of what is unclear', make: unclearShare },
  { kind: 'holdings: share', make: clearShare },
  { kind: 'holdings: another owner, color or place', make: otherOwner },
  { kind: 'holdings: something beside it', make: besides },
  { kind: 'holdings: in each or in all', make: unclearGroups },
  { kind: 'holdings: groups', make: clearGroups },
  { kind: 'holdings: times more', make: timesMore },
  { kind: 'holdings: relations', make: relations },
  { kind: 'have, get and lose', control: true, make: plain },
  { kind: 'groups', control: true, make: plainGroups },
]
