import { iso, someDay, span, written } from '../calendar-days.ts'
import type { Draw } from '../draw.ts'
import { capital, people, person } from '../english.ts'
import { type Grammar, type Made, onDay, unsettled } from '../item.ts'

/** One event and a later one: stated and asked for. */
const JOURNEYS: readonly (readonly [
  thing: string,
  first: string,
  then: string,
  ask1: string,
  ask2: string,
])[] = [
  ['parcel', 'was sent', 'arrived', 'was it sent', 'did it arrive'],
  ['letter', 'was posted', 'was delivered', 'was it posted', 'was it delivered'],
  ['order', 'was placed', 'was shipped', 'was it placed', 'was it shipped'],
  ['invoice', 'was issued', 'was paid', 'was it issued', 'was it paid'],
  ['ship', 'left the harbor', 'came back', 'did it leave the harbor', 'did it come back'],
  ['bridge', 'was closed', 'was reopened', 'was it closed', 'was it reopened'],
  ['car', 'was sold', 'was returned', 'was it sold', 'was it returned'],
  ['plane', 'took off', 'landed', 'did it take off', 'did it land'],
  ['book', 'was borrowed', 'was returned', 'was it borrowed', 'was it returned'],
  ['bill', 'was introduced', 'was passed', 'was it introduced', 'was it passed'],
  ['kitten', 'was born', 'was adopted', 'was it born', 'was it adopted'],
  ['package', 'was mailed', 'was lost', 'was it mailed', 'was it lost'],
  ['course', 'began', 'ended', 'did it begin', 'did it end'],
  ['strike', 'started', 'finished', 'did it start', 'did it finish'],
]
const EVENTS = [
  'party',
  'dinner',
  'concert',
  'match',
  'wedding',
  'exam',
  'interview',
  'meeting',
  'trial',
  'race',
  'conference',
  'picnic',
  'opening',
  'play',
  'election',
  'workshop',
  'festival',
  'surgery',
  'parade',
  'auction',
  'lecture',
  'game',
  'review',
  'launch',
  'rehearsal',
  'vote',
  'reunion',
  'hearing',
] as const

/** The parcel was sent on … and arrived 5 days later. What date was it sent? */
function journeyFirst(draw: Draw): Made {
  const [thing, first, then, ask] = draw.pick(JOURNEYS)
  const [day, later] = [someDay(draw), span(draw)]
  const told = draw.pick([
    `The ${thing} ${first} on ${written(draw, day)} and ${then} ${later.text} later.`,
    `The ${thing} ${first} on ${written(draw, day)}. It ${then} ${later.text} later.`,
    `The ${thing} ${first} on ${written(draw, day)}, and ${later.text} later it ${then}.`,
    `The ${thing} ${first} on ${written(draw, day)} and ${then} ${later.text} after that.`,
  ])
  return onDay(
    `${told} ${draw.pick(['What date', 'On what date', 'On which date'])} ${ask}?`,
    iso(day),
  )
}

/** … What date did it arrive? */
function journeyThen(draw: Draw): Made {
  const [thing, first, then, , ask] = draw.pick(JOURNEYS)
  const [day, later] = [someDay(draw), span(draw)]
  const told = draw.pick([
    `The ${thing} ${first} on ${written(draw, day)} and ${then} ${later.text} later.`,
    `The ${thing} ${first} on ${written(draw, day)}. It ${then} ${later.text} later.`,
  ])
  return onDay(
    `${told} ${draw.pick(['What date', 'On what date'])} ${ask}?`,
    iso(later.add(day, 1)),
  )
}

/** The ship came back on …, 5 days after it left. What date did it leave? */
function journeyBack(draw: Draw): Made {
  const [thing, first, then, ask1, ask2] = draw.pick(JOURNEYS)
  const [day, later] = [someDay(draw), span(draw)]
  const told = `The ${thing} ${then} on ${written(draw, day)}, ${later.text} after it ${first}.`
  return draw.chance(0.7)
    ? onDay(`${told} On what date ${ask1}?`, iso(later.add(day, -1)))
    : onDay(`${told} On what date ${ask2}?`, iso(day))
}

/** The party is on … The dinner is two days later. What date is the party? */
function twoEvents(draw: Draw): Made {
  const [a = '', b = ''] = draw.some(EVENTS, 2)
  const [day, later] = [someDay(draw, 2026, 2032), span(draw)]
  const isLater = draw.chance(0.6)
  const [way, sign] = isLater
    ? ([draw.pick(['later', 'after that', 'afterwards']), 1] as const)
    : ([draw.pick(['earlier', 'before that']), -1] as const)
  const told = draw.pick([
    `The ${a} is on ${written(draw, day)}. The ${b} is ${later.text} ${way}.`,
    `The ${a} is on ${written(draw, day)} and the ${b} is ${later.text} ${way}.`,
    `The ${a} will be on ${written(draw, day)}; the ${b} will be ${later.text} ${way}.`,
  ])
  const other = draw.chance(0.4)
  return onDay(
    `${told} ${draw.pick(['What date is', 'When is', 'On what date is'])} the ${other ? b : a}?`,
    iso(other ? later.add(day, sign) : day),
  )
}

/** The concert was on …, one week later than the match. What date was the match? */
function laterThan(draw: Draw): Made {
  const [a = '', b = ''] = draw.some(EVENTS, 2)
  const [day, apart] = [someDay(draw), span(draw)]
  const isLater = draw.chance(0.5)
  const way = isLater ? draw.pick(['later than', 'after']) : draw.pick(['earlier than', 'before'])
  const told = draw.pick([
    `The ${a} was on ${written(draw, day)}, ${apart.text} ${way} the ${b}.`,
    `The ${a} was on ${written(draw, day)}. That was ${apart.text} ${way} the ${b}.`,
    `The ${a} took place on ${written(draw, day)}, which was ${apart.text} ${way} the ${b}.`,
  ])
  const other = draw.chance(0.75)
  return onDay(
    `${told} ${draw.pick(['What date was', 'When was', 'On what date was'])} the ${other ? b : a}?`,
    iso(other ? apart.add(day, isLater ? -1 : 1) : day),
  )
}

/** I was born on … and my sister two years later. What day of the week was I born? */
function births(draw: Draw): Made {
  const [day, later] = [someDay(draw, 1950, 2010), span(draw)]
  const relative = draw.pick([
    'sister',
    'brother',
    'cousin',
    'friend',
    'neighbor',
    'wife',
    'husband',
  ])
  const told = draw.pick([
    `I was born on ${written(draw, day)} and my ${relative} exactly ${later.text} later.`,
    `I was born on ${written(draw, day)}. My ${relative} was born ${later.text} later.`,
    `I was born on ${written(draw, day)}, and my ${relative} was born exactly ${later.text} after me.`,
  ])
  const ask = draw.pick(['What day of the week', 'On what date', 'What date', 'On which weekday'])
  return draw.chance(0.6)
    ? onDay(`${told} ${ask} was I born?`, iso(day))
    : onDay(`${told} ${ask} was my ${relative} born?`, iso(later.add(day, 1)))
}

function twoPeople(draw: Draw): Made {
  const [a, b] = people(draw, 2)
  if (a === undefined || b === undefined) return undefined
  const [day, apart] = [someDay(draw, 1950, 2010), span(draw)]
  const isLater = draw.chance(0.5)
  const way = isLater ? 'later' : 'earlier'
  const [did, ask] = draw.pick([
    ['was born', 'was NAME born'],
    ['got married', 'did NAME get married'],
    ['started school', 'did NAME start school'],
    ['moved to Oslo', 'did NAME move to Oslo'],
    ['retired', 'did NAME retire'],
  ] as const)
  const told = draw.pick([
    `${a.name} ${did} on ${written(draw, day)}. ${b.name} ${did} ${apart.text} ${way}.`,
    `${a.name} ${did} on ${written(draw, day)} and ${b.name} ${apart.text} ${way}.`,
    `${a.name} ${did} on ${written(draw, day)}, ${apart.text} ${isLater ? 'before' : 'after'} ${b.name}.`,
  ])
  const other = draw.chance(0.5)
  const when = draw.pick(['What date', 'On what date', 'On what day of the week'])
  return onDay(
    `${told} ${when} ${ask.replace('NAME', other ? b.name : a.name)}?`,
    iso(other ? apart.add(day, isLater ? 1 : -1) : day),
  )
}

/** The moved event's old date, or its new one. */
function moved(draw: Draw): Made {
  const event = draw.pick(EVENTS)
  const [day, apart] = [someDay(draw, 2026, 2030), span(draw)]
  const isLater = draw.chance(0.5)
  const verb = isLater ? 'postponed' : 'brought forward'
  const told = draw.pick([
    `The ${event} was planned for ${written(draw, day)} but was ${verb} by ${apart.text}.`,
    `The ${event} on ${written(draw, day)} was ${verb} by ${apart.text}.`,
  ])
  return draw.chance(0.5)
    ? onDay(`${told} What date was it originally planned for?`, iso(day))
    : onDay(`${told} What is its new date?`, iso(apart.add(day, isLater ? 1 : -1)))
}

/** Two dates are stated, and it is unclear which is meant. */
function whichOfTwo(draw: Draw): Made {
  const [a = '', b = ''] = draw.some(EVENTS, 2)
  const [day, other, apart] = [someDay(draw, 2026), someDay(draw, 2026), span(draw)]
  if (day === other) return undefined
  return unsettled(
    `The ${a} is on ${written(draw, day)} and the ${b} is on ${written(draw, other)}. ` +
      draw.pick([
        `What date is ${apart.text} later?`,
        `What day of the week is that?`,
        `What date is it ${apart.text} before that?`,
        `Which date is that?`,
      ]),
    'two dates are told',
  )
}

/** A third event depends on the second. */
function chain(draw: Draw): Made {
  const [a = '', b = '', c = ''] = draw.some(EVENTS, 3)
  const [day, one, two] = [someDay(draw, 2026, 2030), span(draw, 'days'), span(draw, 'days')]
  const second = one.add(day, 1)
  const third = two.add(second, 1)
  const told = `The ${a} is on ${written(draw, day)}. The ${b} is ${one.text} after the ${a}. The ${c} is ${two.text} after the ${b}.`
  const [asked, right] = draw.pick([
    [a, day],
    [b, second],
    [c, third],
  ] as const)
  return onDay(`${told} What date is the ${asked}?`, iso(right))
}

/** Something else takes some time; the date asked for is the stated one. */
function lasting(draw: Draw): Made {
  const event = draw.pick(EVENTS)
  const [day, long] = [someDay(draw, 2026, 2030), span(draw, 'days')]
  const one = person(draw)
  const told = draw.pick([
    `${one.name} bought tickets ${long.text} before the ${event}, which is on ${written(draw, day)}.`,
    `The ${event} on ${written(draw, day)} was announced ${long.text} earlier.`,
    `Registration opens ${long.text} before the ${event} on ${written(draw, day)}.`,
    `The ${event} is on ${written(draw, day)}. Registration closes ${long.text} before.`,
    `The ${event} is on ${written(draw, day)}. ${one.name} arrives ${long.text} earlier.`,
  ])
  return onDay(`${capital(told)} What date is the ${event}?`, iso(day))
}

export const EVENT_DATES: readonly Grammar[] = [
  { kind: 'events: journey, the first asked', make: journeyFirst },
  { kind: 'events: journey, the second asked', make: journeyThen },
  { kind: 'events: journey told backwards', make: journeyBack },
  { kind: 'events: two, one asked', make: twoEvents },
  { kind: 'events: later or earlier than', make: laterThan },
  { kind: 'events: births in a family', make: births },
  { kind: 'events: two persons', make: twoPeople },
  { kind: 'events: moved', make: moved },
  { kind: 'events: which of two', make: whichOfTwo },
  { kind: 'events: chain of three', make: chain },
  { kind: 'events: something beside it', make: lasting },
]
