import type { Draw } from '../draw.ts'
import { capital, person, said, THINGS } from '../english.ts'
import { type Grammar, type Made, unsettled, worth } from '../item.ts'
import { exact, over, times } from '../rational.ts'

/** Something done so many times in a span: `reads 20 pages`. */
const HABITS: readonly (readonly [does: string, unit: string, base: string])[] = [
  ['reads', 'pages', 'read'],
  ['runs', 'miles', 'run'],
  ['walks', 'kilometers', 'walk'],
  ['drinks', 'glasses of water', 'drink'],
  ['solves', 'puzzles', 'solve'],
  ['writes', 'letters', 'write'],
  ['bakes', 'cakes', 'bake'],
  ['paints', 'fences', 'paint'],
  ['plants', 'trees', 'plant'],
  ['sells', 'tickets', 'sell'],
  ['packs', 'boxes', 'pack'],
  ['repairs', 'bikes', 'repair'],
  ['does', 'push-ups', 'do'],
]

/** A factor that leads to the asked span is missing. */
function missing(draw: Draw): Made {
  const who = person(draw)
  const [does, unit, base] = draw.pick(HABITS)
  const [a, b] = [draw.int(2, 9), draw.int(8, 25)]
  return unsettled(
    draw.pick([
      `${who.name} works ${a} hours a day and earns $${b} an hour. How much does ${who.he} earn in a week?`,
      `${who.name} works ${a} hours a day and earns $${b} an hour. How much does ${who.he} earn in a month?`,
      `${who.name} works ${a} days a week and earns $${b} an hour. How much does ${who.he} earn in a week?`,
      `${who.name} earns $${b} an hour. How much does ${who.he} earn in a day?`,
      `${who.name} ${does} ${b} ${unit} every time. How many ${unit} does ${who.he} ${base} in a week?`,
      `${who.name} ${does} ${b} ${unit} on some days. How many ${unit} does ${who.he} ${base} in ${a} days?`,
      `${who.name} ${does} ${b} ${unit} on school days. How many ${unit} does ${who.he} ${base} in ${a} days?`,
      `${who.name} ${does} at most ${b} ${unit} a day. How many ${unit} does ${who.he} ${base} in ${a} days?`,
      `${who.name} ${does} ${b} ${unit} a day when it does not rain. How many ${unit} does ${who.he} ${base} in a week?`,
      `A car drives for ${a} hours. The limit is ${b * 3} miles an hour. How many miles does it drive?`,
      `A machine makes ${b} toys in a shift. How many toys does it make in ${a} hours?`,
      `A box weighs ${b} pounds when it is full. ${who.name} carries ${a} boxes. How many pounds does ${who.he} carry?`,
      `${who.name} is paid $${b} for a lawn. ${who.He} mowed lawns for ${a} hours. How much did ${who.he} earn?`,
      `${who.name} saves $${b} a month. ${who.He} began some time ago. How much has ${who.he} saved?`,
      `${who.name} ${does} ${b} ${unit} on Mondays. How many ${unit} does ${who.he} ${base} in a week?`,
      `${who.name} ${does} between ${a} and ${b + 4} ${unit} a day. How many ${unit} does ${who.he} ${base} in 3 days?`,
      `${who.name} can ${base} ${b} ${unit} a day. How many ${unit} did ${who.he} ${base} in ${a} days?`,
    ]),
    'a factor is missing',
  )
}

/** All factors are said, some by the names of days. */
function habits(draw: Draw): Made {
  const who = person(draw)
  const [does, unit, base] = draw.pick(HABITS)
  const [a, b, c] = [draw.int(2, 9), draw.int(8, 25), draw.int(3, 9)]
  const ask = (span: string): string => `How many ${unit} does ${who.he} ${base} ${span}?`
  const [text, right] = draw.pick([
    [
      `${who.name} ${does} ${b} ${unit} every Monday and every Thursday and none on other days. ${ask(`in ${a} weeks`)}`,
      2 * a * b,
    ],
    [
      `${who.name} ${does} ${b} ${unit} a day, except on Sundays, when ${who.he} rests. ${ask('in a week')}`,
      6 * b,
    ],
    [
      `${who.name} ${does} ${b} ${unit} every day from Monday to Friday and ${a} ${unit} on Saturday. ${ask('from Monday to Saturday')}`,
      5 * b + a,
    ],
    [
      `${who.name} ${does} ${a} ${unit} every morning and ${b} ${unit} every evening. ${ask(`in ${c} days`)}`,
      (a + b) * c,
    ],
    [`${who.name} ${does} ${b} ${unit} a day. ${ask('in two weeks')}`, 14 * b],
    [`${who.name} ${does} ${b} ${unit} every other day. ${ask(`in ${2 * a} days`)}`, a * b],
    [`${who.name} ${does} ${b} ${unit} twice a day. ${ask(`in ${a} days`)}`, 2 * a * b],
    [
      `${who.name} ${does} ${b} ${unit} on the first day and ${a} ${unit} more each day than the day before. How many ${unit} does ${who.he} ${base} on the third day?`,
      b + 2 * a,
    ],
    [
      `${who.name} ${does} ${a * c} ${unit} in ${c} days, the same number every day. ${ask('in one day')}`,
      a,
    ],
    [
      `${who.name} ${does} ${a * c} ${unit} in ${c} days. How many ${unit} does ${who.he} ${base} in those ${c} days?`,
      a * c,
    ],
    [
      `${who.name} works ${a} hours a day, ${c} days a week, for $${b} an hour. How much does ${who.he} earn in a week?`,
      c > 7 ? 0.5 : a * b * c,
    ],
    [
      `${who.name} works ${a} hours on Monday and twice as long on Tuesday. ${who.He} earns $${b} an hour. How much does ${who.he} earn on Tuesday?`,
      2 * a * b,
    ],
    [
      `${who.name} earns $${b} an hour and works for ${a} days, ${c} hours each day. How many hours does ${who.he} work?`,
      a * c,
    ],
  ] as const)
  return worth(text, right)
}

/** Several at work, or at another pace: not a plain product. */
function paces(draw: Draw): Made {
  const [n, k, m] = [draw.int(2, 9), draw.int(2, 9), draw.int(2, 6)]
  const who = person(draw)
  const [text, right] = draw.pick([
    [
      `${n} machines make ${n} toys in ${n} minutes. How many minutes do ${k * n} machines need for ${k * n} toys?`,
      n,
    ],
    [
      `${n} cats catch ${n} mice in ${n} minutes. How many minutes do ${k} cats need to catch ${k} mice?`,
      n,
    ],
    [
      `${n} workers build a wall in ${k * m} hours. How many hours do ${n * m} workers need at the same pace?`,
      k,
    ],
    [
      `A car drives at ${10 * n} miles an hour for ${k} hours and then at ${10 * m} miles an hour for ${n} hours. How many miles does it drive?`,
      10 * n * k + 10 * m * n,
    ],
    [
      `A car drives ${60 * n} miles in ${n * k} hours. How many miles does it drive in one hour?`,
      over(60, k),
    ],
    [
      `One pump fills a tank in ${2 * k} hours and another in ${2 * k} hours. How many hours do both pumps together need to fill the tank?`,
      k,
    ],
    [
      `${n} shirts take ${k} hours to dry in the sun. How many hours do ${n * m} shirts take to dry in the sun, if there is room for all?`,
      k,
    ],
    [
      `A worker earns $${2 * n} an hour and works for 30 minutes. How many dollars does the worker earn?`,
      n,
    ],
    [`A worker makes ${n} toys a minute. How many toys does the worker make in an hour?`, 60 * n],
    [
      `A snail climbs ${k + m} feet by day and slips back ${m} feet by night. How many feet higher is it after ${n} days and nights?`,
      n * k,
    ],
    [
      `A train takes ${k} hours for the way there and ${m} hours for the way back. It goes ${30 * k} miles each way. How many miles does it go in all?`,
      60 * k,
    ],
    [
      `A train goes ${30 * k} miles to the coast and the same way back. How many miles does it go to the coast?`,
      30 * k,
    ],
    [
      `Each of ${n} machines makes ${k} toys an hour. How many toys do they all make in ${m} hours?`,
      n * k * m,
    ],
    [
      `${n} machines together make ${n * k} toys an hour. How many toys do the ${n} machines make in ${m} hours?`,
      n * k * m,
    ],
    [
      `${who.name} cuts a log into ${n + 1} pieces. Each cut takes ${k} minutes. How many minutes does ${who.he} need?`,
      n * k,
    ],
    [
      `${who.name} walks from floor 2 to floor ${2 + n}, ${k} minutes a floor. How many minutes does ${who.he} walk?`,
      n * k,
    ],
  ] as const)
  return worth(text, right)
}

/** Whether the number is of each or of all together. */
function unclearPace(draw: Draw): Made {
  const [n, k, m] = [draw.int(2, 9), draw.int(2, 9), draw.int(2, 6)]
  const who = person(draw)
  return unsettled(
    draw.pick([
      `${n} machines make ${n * k} toys an hour. They run for ${m} hours. How many toys does one of the machines make, if some are faster than others?`,
      `${n} children eat ${n * k} cookies. How many cookies does the youngest child eat?`,
      `${who.name} drives for ${n} hours and stops for a while. ${who.He} goes ${10 * k} miles an hour. How many miles does ${who.he} drive before the stop?`,
      `${who.name} runs ${n} miles in ${k} minutes and then walks. How many miles does ${who.he} cover in ${2 * k} minutes?`,
      `A tap fills ${n} buckets in ${k} minutes and is then turned down. How many buckets does it fill in ${2 * k} minutes?`,
      `A car goes ${10 * n} miles an hour, slower uphill. How many miles does it go in ${k} hours?`,
      `${who.name} earns $${n} an hour and a bonus. How much does ${who.he} earn in ${k} hours?`,
      `${who.name} earns $${n + 5} an hour before tax. How much does ${who.he} take home for ${k} hours?`,
      `A plant grows ${n} inches a month in summer. How many inches does it grow in ${k + 6} months?`,
      `${who.name} reads ${n + 9} pages on most days. How many pages does ${who.he} read in ${k} days?`,
    ]),
    'the pace is not known for what is asked',
  )
}

/** Questions about a remainder, or about the one more that is needed. */
function wholes(draw: Draw): Made {
  const noun = draw.pick(THINGS)
  const [n, k] = [draw.int(4, 12), draw.int(3, 9)]
  const rest = draw.int(1, n - 1)
  const total = n * k + rest
  const things = noun[1]
  const [text, right] = draw.pick([
    [`A box holds ${n} ${things}. How many boxes are needed for ${total} ${things}?`, k + 1],
    [`A box holds ${n} ${things}. How many full boxes can be packed with ${total} ${things}?`, k],
    [`${total} ${things} are packed into boxes of ${n}. How many ${things} are left over?`, rest],
    [`A bus holds ${n} people. How many buses are needed for ${total} people?`, k + 1],
    [`${capital(noun[1])} for ${n} dollars each: how many can you buy with $${total}?`, k],
    [
      `${total} ${things} are shared equally among ${n} children. How many whole ${things} does each child get?`,
      k,
    ],
    [
      `A rope of ${total} feet is cut into pieces of ${n} feet. How many whole pieces are there?`,
      k,
    ],
    [`Every car takes ${n} people. ${total} people want to go. How many cars do they need?`, k + 1],
  ] as const)
  return worth(text, right)
}

/** Posts, pages and ends. */
function ends(draw: Draw): Made {
  const [n, k] = [draw.int(3, 12), draw.int(2, 9)]
  const who = person(draw)
  const [text, right] = draw.pick([
    [
      `A straight fence of ${n * k} feet has a post every ${k} feet, with one at each end. How many posts are there?`,
      n + 1,
    ],
    [
      `${who.name} reads from the top of page ${n} to the bottom of page ${n + k}. How many pages does ${who.he} read?`,
      k + 1,
    ],
    [
      `${who.name} is the ${k + 1}th in a line of ${n + k + 1} people. How many people are behind ${who.him}?`,
      n,
    ],
    [
      `There are ${k} people in front of ${who.name} and ${n} behind ${who.him}. How many people are in the line?`,
      n + k + 1,
    ],
    [`How many whole numbers are there from ${n} to ${n + k}, both included?`, k + 1],
    [`A square has sides of ${n} feet. How many feet is it around the square?`, 4 * n],
    [
      `A rectangle is ${n + k} feet long and ${n} feet wide. How many square feet is it?`,
      n * (n + k),
    ],
    [
      `A rectangle is ${n + k} feet long and ${n} feet wide. How many feet is it around it?`,
      2 * (2 * n + k),
    ],
    [
      `${n + k} children play. ${n} wear hats and ${k} wear scarves, and every child wears just one of them. How many children play?`,
      n + k,
    ],
    [
      `Of ${n + k + 2} children ${n} wear hats, ${k} wear scarves and 1 wears both. How many wear neither?`,
      3,
    ],
    [
      `${who.name} has ${n} brothers and ${k} sisters. How many children are there in the family?`,
      n + k + 1,
    ],
  ] as const)
  if (/\b(?:2|3)th\b/.test(text)) return undefined
  return worth(text, right)
}

/** Percent in stories: of the old, of the new, by how much. */
function percents(draw: Draw): Made {
  const share = draw.pick([10, 20, 25, 50])
  const old = draw.int(2, 20) * 20
  const up = (old * (100 + share)) / 100
  const down = (old * (100 - share)) / 100
  const who = person(draw)
  const [text, right] = draw.pick([
    [`A coat cost $${old}. Its price rose by ${share}%. How much does it cost now?`, up],
    [
      `A coat cost $${old}. Its price rose by ${share}%. By how many dollars did it rise?`,
      up - old,
    ],
    [`The price of a coat rose by ${share}% to $${up}. What was the old price?`, old],
    [`After a discount of ${share}% a coat costs $${down}. How much did it cost before?`, old],
    [`After a discount of ${share}% a coat costs $${down}. How much does it cost now?`, down],
    [
      `A coat costs $${old}, which is ${share}% of what ${who.name} earns. How much does ${who.he} earn?`,
      (old * 100) / share,
    ],
    [`Of ${old} pupils ${share}% are girls. How many are boys?`, down],
    [`Of ${old} pupils ${share}% are girls. How many are girls?`, old - down],
    [`${who.name} pays $${old} and leaves a ${share}% tip on that. How much is the tip?`, up - old],
    [
      `${who.name} pays $${old} and leaves a ${share}% tip on that. How much does ${who.he} spend in all?`,
      up,
    ],
    [
      `A coat costs $${old} with a discount of ${share}% already taken off. How much does ${who.name} pay for it?`,
      old,
    ],
    [`The price of a coat fell from $${old} to $${down}. By what percent did it fall?`, share],
  ] as const)
  return worth(text, right)
}

/** Units that differ. */
function units(draw: Draw): Made {
  const who = person(draw)
  const [n, k] = [draw.int(2, 9), draw.int(2, 9)]
  const [text, right] = draw.pick([
    [
      `${who.name} walks ${n} kilometers and then ${k * 100} meters. How many meters does ${who.he} walk?`,
      n * 1000 + k * 100,
    ],
    [
      `${who.name} has ${n} dollars and ${k * 10} cents. How many cents does ${who.he} have?`,
      n * 100 + k * 10,
    ],
    [
      `A film lasts ${n} hours and ${k * 5} minutes. How many minutes does it last?`,
      n * 60 + k * 5,
    ],
    [
      `${who.name} buys ${n} dozen eggs and ${k} more eggs. How many eggs does ${who.he} buy?`,
      n * 12 + k,
    ],
    [
      `A rope of ${n} meters is cut into pieces of 50 centimeters. How many pieces are there?`,
      n * 2,
    ],
    [
      `${who.name} has ${n} quarters and ${k} dimes. How many cents does ${who.he} have?`,
      n * 25 + k * 10,
    ],
    [
      `${who.name} has ${n} five-dollar bills and ${k} ten-dollar bills. How many dollars does ${who.he} have?`,
      n * 5 + k * 10,
    ],
    [`${who.name} sleeps ${n} hours a day. How many hours does ${who.he} sleep in a week?`, n * 7],
    [`${who.name} is ${n} feet and ${k} inches tall. How many inches is that?`, n * 12 + k],
    [`${who.name} is ${n} years and ${k} months old. How many months is that?`, n * 12 + k],
    [`A pen costs ${k * 10} cents. How many cents do ${n} pens cost?`, n * k * 10],
    [
      `${who.name} buys a pen for $${n} and a stamp for ${k * 10} cents. How many cents does ${who.he} spend?`,
      n * 100 + k * 10,
    ],
    [`${n} weeks and ${k} days: how many days is that?`, n * 7 + k],
  ] as const)
  return worth(text, right)
}

/** Ages at several times. */
function ages(draw: Draw): Made {
  const [a, b] = [person(draw), person(draw)]
  if (a.name === b.name) return undefined
  const [old, apart, later] = [draw.int(12, 40), draw.int(2, 9), draw.int(2, 9)]
  const [text, right] = draw.pick([
    [
      `${a.name} is ${old} years old. ${b.name} is ${apart} years younger. How old will ${b.name} be in ${later} years?`,
      old - apart + later,
    ],
    [
      `${a.name} is ${old} years old. ${b.name} is ${apart} years younger. How old is ${a.name}?`,
      old,
    ],
    [
      `${a.name} is ${old} years old and ${b.name} is ${old - apart}. How old was ${a.name} when ${b.name} was born?`,
      apart,
    ],
    [`In ${later} years ${a.name} will be ${old}. How old is ${a.he} now?`, old - later],
    [`${later} years ago ${a.name} was ${old}. How old is ${a.he} now?`, old + later],
    [`${a.name} is ${old}. ${later} years ago ${a.he} moved to Rome. How old is ${a.he} now?`, old],
    [
      `${a.name} is ${old}. ${later} years ago ${a.he} moved to Rome. How old was ${a.he} then?`,
      old - later,
    ],
    [
      `${a.name} is ${old}, ${apart} years older than ${b.name}. How old is ${b.name}?`,
      old - apart,
    ],
    [
      `${a.name} is ${old}, ${apart} years older than ${b.name}. How old will ${a.name} be in ${later} years?`,
      old + later,
    ],
    [
      `${a.name} was ${old} when ${b.name} was ${old - apart}. ${b.name} is ${old} now. How old is ${a.name} now?`,
      old + apart,
    ],
    [`${a.name} is ${old}. In how many years will ${a.he} be ${old + later}?`, later],
  ] as const)
  return worth(text, right)
}

/** Plain rates. */
function plainRates(draw: Draw): Made {
  const who = person(draw)
  const [does, unit, base] = draw.pick(HABITS)
  const [n, k] = [draw.int(2, 25), draw.int(2, 12)]
  const days = said(draw, k)
  return worth(
    draw.pick([
      `${who.name} ${does} ${n} ${unit} a day. How many ${unit} does ${who.he} ${base} in ${days.text} days?`,
      `${who.name} ${does} ${n} ${unit} every day. How many ${unit} does ${who.he} ${base} in ${days.text} days?`,
      `A train travels at ${n} miles per hour. How many miles does it travel in ${days.text} hours?`,
      `${who.name} earns $${n} per hour. How much does ${who.he} earn in ${days.text} hours?`,
    ]),
    times(exact(n), k),
  )
}

export const RATES: readonly Grammar[] = [
  { kind: 'rates: a factor is missing', make: missing },
  { kind: 'rates: habits', make: habits },
  { kind: 'rates: paces', make: paces },
  { kind: 'rates: pace is unclear', make: unclearPace },
  { kind: 'counting: wholes and leftovers', make: wholes },
  { kind: 'counting: ends and sides', make: ends },
  { kind: 'stories: percent', make: percents },
  { kind: 'stories: units', make: units },
  { kind: 'stories: ages', make: ages },
  { kind: 'rates', control: true, make: plainRates },
]
