import type { Draw } from '../draw.ts'
import { amount, asking, figure, inWords } from '../english.ts'
import { type Grammar, type Made, worth } from '../item.ts'
import {
  lessBy,
  minus,
  moreBy,
  over,
  percent,
  plus,
  type Rational,
  square,
  times,
} from '../rational.ts'

function symbols(draw: Draw): Made {
  const [a, b, c] = [figure(draw, 2, 2000), figure(draw, 2, 400), figure(draw, 2, 50)]
  const [x, y, z] = [a.value, b.value, c.value]
  const [phrase, value] = draw.pick<readonly [string, Rational]>([
    [`${a.text} + ${b.text}`, plus(x, y)],
    [`${a.text} - ${b.text}`, minus(x, y)],
    [`${a.text} * ${b.text}`, times(x, y)],
    [`${a.text} × ${b.text}`, times(x, y)],
    [`${a.text} / ${b.text}`, over(x, y)],
    [`${a.text} ÷ ${b.text}`, over(x, y)],
    [`${a.text} + ${b.text} * ${c.text}`, plus(x, times(y, z))],
    [`(${a.text} + ${b.text}) * ${c.text}`, times(plus(x, y), z)],
    [`${a.text} - ${b.text} - ${c.text}`, minus(minus(x, y), z)],
  ])
  return worth(draw.chance(0.3) ? phrase : asking(draw, phrase), value)
}

function wordsOnly(draw: Draw): Made {
  const [a, b] = [amount(draw, 2, 99), amount(draw, 2, 99)]
  const [n, m] = [draw.int(2, 900), draw.int(2, 90)]
  const [x, y] = [a.value, b.value]
  const [phrase, value] = draw.pick<readonly [string, Rational]>([
    [`${a.text} plus ${b.text}`, plus(x, y)],
    [`${a.text} minus ${b.text}`, minus(x, y)],
    [`${a.text} times ${b.text}`, times(x, y)],
    [`${a.text} multiplied by ${b.text}`, times(x, y)],
    [`${a.text} divided by ${b.text}`, over(x, y)],
    [`${inWords(n)} plus ${inWords(m)}`, plus(n, m)],
    [`${inWords(n)} times ${inWords(m)}`, times(n, m)],
  ])
  return worth(asking(draw, phrase), value)
}

function percents(draw: Draw): Made {
  const b = figure(draw, 10, 900)
  const share = draw.pick([5, 8, 10, 12, 15, 20, 25, 40, 50, 75])
  const sign = draw.pick(['%', ' percent'])
  const [text, value] = draw.pick<readonly [string, Rational]>([
    [asking(draw, `${share}${sign} of ${b.text}`), times(percent(share), b.value)],
    [asking(draw, `${share}${sign} more than ${b.text}`), moreBy(b.value, share)],
    [asking(draw, `${b.text} increased by ${share}${sign}`), moreBy(b.value, share)],
    [asking(draw, `${b.text} decreased by ${share}${sign}`), lessBy(b.value, share)],
    [`Add ${share}${sign} to ${b.text}.`, moreBy(b.value, share)],
  ])
  return worth(text, value)
}

function phrases(draw: Draw): Made {
  const [a, b, c] = [figure(draw, 10, 90), figure(draw, 2, 60), figure(draw, 2, 60)]
  const [x, y, z] = [a.value, b.value, c.value]
  const root = draw.int(2, 30)
  const [phrase, value] = draw.pick<readonly [string, Rational]>([
    [`the sum of ${a.text} and ${b.text}`, plus(x, y)],
    [`the sum of ${a.text}, ${b.text} and ${c.text}`, plus(x, y, z)],
    [`the product of ${a.text} and ${b.text}`, times(x, y)],
    [`the difference between ${100 + root} and ${a.text}`, minus(100 + root, x)],
    [`the average of ${a.text}, ${b.text} and ${c.text}`, over(plus(x, y, z), 3)],
    [`half of ${a.text}`, over(x, 2)],
    [`a third of ${a.text}`, over(x, 3)],
    [`two thirds of ${a.text}`, times(over(2, 3), x)],
    [`twice ${a.text}`, times(2, x)],
    [`the square root of ${root * root}`, times(root, 1)],
    [`${b.text} squared`, square(y)],
    [`${a.text} more than ${b.text}`, plus(x, y)],
    [`${b.text} less than ${a.text}`, minus(x, y)],
  ])
  return worth(asking(draw, phrase), value)
}

function orders(draw: Draw): Made {
  const [a, b] = [figure(draw, 10, 90), figure(draw, 2, 60)]
  const c = figure(draw, 2, 12)
  const [x, y, z] = [a.value, b.value, c.value]
  const [text, value] = draw.pick<readonly [string, Rational]>([
    [`Add ${a.text} and ${b.text}.`, plus(x, y)],
    [`Add ${b.text} to ${a.text}.`, plus(x, y)],
    [`Subtract ${b.text} from ${a.text}.`, minus(x, y)],
    [`Multiply ${a.text} by ${b.text}.`, times(x, y)],
    [`Divide ${a.text} by ${b.text}.`, over(x, y)],
    [`Increase ${a.text} by ${b.text}.`, plus(x, y)],
    [`Divide ${a.text} by ${b.text} and then subtract ${c.text}.`, minus(over(x, y), z)],
    [`Add ${a.text} and ${b.text}, then multiply by ${c.text}.`, times(plus(x, y), z)],
    [`Double ${a.text}.`, times(2, x)],
  ])
  return worth(text, value)
}

/** Wordings of the evaluation's own calculations. */
function evaluated(draw: Draw): Made {
  const [a, b, c] = [figure(draw, 10, 90), figure(draw, 2, 60), figure(draw, 2, 12)]
  const [x, y, z] = [a.value, b.value, c.value]
  const [r, s] = [draw.int(2, 20), draw.int(2, 20)]
  const share = draw.pick([5, 10, 15, 20, 25, 40, 50])
  const [text, value] = draw.pick<readonly [string, Rational]>([
    [`whats ${a.text} minus ${b.text}`, minus(x, y)],
    [`How much is -${c.text} times ${a.text}?`, times(-1, z, x)],
    [`What does ${c.text} ** 3 come to?`, times(z, z, z)],
    [`square root of ${r * r}`, times(r, 1)],
    [`sqrt(${r * r}) + sqrt(${s * s})`, times(1, r + s)],
    [`Can you give me 3/4 + ${c.text}/8 as a decimal?`, plus(over(3, 4), over(z, 8))],
    [`If I take ${share}% off ${a.text}, what do I get?`, lessBy(x, share)],
    [`what percent of ${a.text} is ${b.text}`, times(100, over(y, x))],
    [`${r} squared plus ${s} squared`, times(1, r * r + s * s)],
    [`((${a.text} - ${b.text}) * ${c.text} + 6) / 8`, over(plus(times(minus(x, y), z), 6), 8)],
    [
      `Could you multiply ${a.text}.14 by ${c.text}.5 for me?`,
      times(plus(x, over(14, 100)), plus(z, over(1, 2))),
    ],
    [`What do I get for ${a.text} - (-${c.text})?`, plus(x, z)],
    [`How many times does ${c.text} go into ${r * Number(z.n)}?`, times(r, 1)],
    [`Hi, could you tell me what ${a.text} × ${b.text} is?`, times(x, y)],
    [`${c.text} to the power of 4`, times(z, z, z, z)],
    [`average of ${a.text}, ${b.text}, ${c.text} and ${r}`, over(plus(x, y, z, r), 4)],
    [`${r}.5 million divided by 4`, over(times(plus(r, over(1, 2)), 1_000_000), 4)],
    [`Total of ${a.text}.99 + ${b.text}.01 + ${c.text}.50 please`, plus(x, y, z, over(3, 2))],
    [
      `Multiply the sum of ${a.text} and ${b.text} by the difference between 100 and ${c.text}`,
      times(plus(x, y), minus(100, z)),
    ],
    [`How much is three quarters of ${a.text}?`, times(over(3, 4), x)],
    [`I need ${a.text} * ${b.text} - ${c.text} * 12, thanks`, minus(times(x, y), times(z, 12))],
    [`Quick one: what's ${share}% of ${a.text}.50?`, times(percent(share), plus(x, over(1, 2)))],
    [
      `Start with ${a.text}, triple it, take away ${c.text}, then divide by 3 - what do you end up with?`,
      over(minus(times(3, x), z), 3),
    ],
  ])
  return worth(text, value)
}

export const PLAIN_ARITHMETIC: readonly Grammar[] = [
  { kind: 'symbols', control: true, make: symbols },
  { kind: 'number words', control: true, make: wordsOnly },
  { kind: 'percent', control: true, make: percents },
  { kind: 'phrases', control: true, make: phrases },
  { kind: 'orders', control: true, make: orders },
  { kind: 'wordings of the evaluation', control: true, make: evaluated },
]
