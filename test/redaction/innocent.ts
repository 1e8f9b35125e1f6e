import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededIds } from '../../packages/echelon/src/core/value/random.ts'
import { FRESH_TRAPS } from '../wrong-plans/fresh-traps.ts'
import { HELD_OUT } from '../wrong-plans/held-out.ts'
import { MORE_TRAPS } from '../wrong-plans/more-traps.ts'
import { OTHER_WRITERS } from '../wrong-plans/other-writers.ts'
import { QUESTIONS } from '../wrong-plans/questions.ts'
import { TRAPS } from '../wrong-plans/traps.ts'
import { Dice } from './corpus.ts'

/** Every question in the repository that was written for the agent. */
export const ASKED: readonly string[] = [
  ...[QUESTIONS, HELD_OUT, TRAPS, MORE_TRAPS, FRESH_TRAPS, OTHER_WRITERS].flatMap((questions) =>
    questions.map(([text]) => text),
  ),
  ...dataSets(),
]

/** Inputs of the data sets; a labeled date of birth is personal even there. */
function dataSets(): readonly string[] {
  const folder = join(import.meta.dirname, '../../datasets')
  if (!existsSync(folder)) return []
  return globSync('*.json', { cwd: folder })
    .flatMap((file) => inputsOf(JSON.parse(readFileSync(join(folder, file), 'utf8'))))
    .filter((text) => !/\bborn\b/i.test(text))
}

function inputsOf(cases: unknown): readonly string[] {
  if (!Array.isArray(cases)) return []
  return cases.flatMap((one: unknown) =>
    typeof one === 'object' && one !== null && 'input' in one && typeof one.input === 'string'
      ? [one.input]
      : [],
  )
}

/** No plus or hyphen without blanks: 415-555-0132 counts as a phone number. */
const SIGNS = [' + ', ' - ', ' * ', ' / ', '*', '/', ' × ', ' ÷ ', ' ^ ', ', ', ' and ', ' plus ']
const MONTHS = ['January', 'Feb', 'March', 'Sept.', 'November', 'Dezember']
const TICKERS = ['AAPL', 'MSFT', 'BRK.B', 'SAP.DE', '^GSPC', 'EURUSD=X', 'BTC-USD', 'US0378331005']

const number = (dice: Dice): string => {
  const digits = dice.digits(1 + dice.below(9)).replace(/^0+(?=\d)/, '')
  return dice.pick([
    digits,
    `${digits}.${dice.digits(1 + dice.below(12))}`,
    `-${digits}`,
    Number(digits).toLocaleString('en-US'),
    Number(digits).toLocaleString('de-DE'),
    Number(digits).toLocaleString('fr-FR'),
    `$${Number(digits).toLocaleString('en-US')}.${dice.digits(2)}`,
    `${digits}%`,
    `(${digits})`,
    `${digits}e${dice.below(20)}`,
    `${digits}/${1 + dice.below(99)}`,
  ])
}

const date = (dice: Dice): string => {
  const [day, month, year] = [1 + dice.below(28), 1 + dice.below(12), 1900 + dice.below(200)]
  const two = (part: number): string => String(part).padStart(2, '0')
  const name = dice.pick(MONTHS)
  return dice.pick([
    `${year}-${two(month)}-${two(day)}`,
    `${day}.${month}.${year}`,
    `${two(day)}.${two(month)}.${year}`,
    `${two(month)}/${two(day)}/${year}`,
    `${two(day)}-${two(month)}-${year}`,
    `${two(day)} ${two(month)} ${year}`,
    `${name} ${day}, ${year}`,
    `${day} ${name} ${year}`,
    `the ${day}th of ${name} ${year}`,
    `${year}-${two(month)}-${two(day)}T${two(day % 24)}:34:56.789+02:00`,
    `${two(day % 24)}:${two(month)}`,
    `${year}${two(month)}${two(day)}`,
    `week ${month} of ${year}`,
  ])
}

const sum = (dice: Dice): string =>
  Array.from({ length: 1 + dice.below(6) }, () => number(dice)).join(dice.pick(SIGNS))

const MAKERS: readonly ((dice: Dice) => string)[] = [
  (dice) => `What is ${sum(dice)}?`,
  (dice) => sum(dice),
  (dice) => `The numbers are ${sum(dice)}; ${sum(dice)} is what is asked`,
  (dice) =>
    `A shop sells ${number(dice)} pens for ${number(dice)} each. What do ${number(dice)} cost?`,
  (dice) => `What day of the week is ${date(dice)}?`,
  (dice) => `How many days are between ${date(dice)} and ${date(dice)}?`,
  (dice) => `${number(dice)} days after ${date(dice)}`,
  (dice) =>
    `Show me last ${dice.below(90)} days closing price for ${dice.pick(TICKERS)} and plot it`,
  (dice) => JSON.stringify({ series: [{ date: '2025-09-08', close: dice.below(1e6) / 100 }] }),
  (dice) =>
    JSON.stringify({ value: number(dice), kind: 'data', stats: { mean: dice.below(1e9) / 7 } }),
  (dice) => `rows 30 of 30, mean ${dice.below(1e9) / 7}, ma7 ${number(dice)}, 12 × 640 px`,
  (dice) => createHash('sha256').update(dice.digits(9)).digest('hex'),
  (dice) => createHash('sha1').update(dice.digits(9)).digest('base64url').slice(0, 12),
  (dice) =>
    `/artifacts/closing-price_2025-08-01_2025-09-12-${dice.signs('0123456789abcdef', 12)}.png`,
  (dice) => `run ${seededIds(dice.below(1e9)).next()}:${dice.below(20)}.${dice.below(4)}`,
  (dice) => `00-${dice.signs('0123456789abcdef', 32)}-${dice.signs('0123456789abcdef', 16)}-01`,
  (dice) =>
    `https://example.org/${dice.signs('abcxyz', 8)}/${number(dice)}?page=${dice.below(99)}&sort=asc#top`,
  (dice) =>
    `at run (/srv/app/loop.ts:${dice.below(999)}:${dice.below(99)}), took ${dice.below(9999)} ms`,
  (dice) =>
    `node v24.${dice.below(30)}.${dice.below(9)}, zod@4.${dice.below(9)}.${dice.below(9)}, 127.0.0.1:${dice.below(65_536)}`,
]

/** Texts without personal data or secrets, determined by the seed. */
export function innocent(seed: number, size: number): readonly string[] {
  const dice = new Dice(seed)
  return Array.from({ length: size }, () => dice.pick(MAKERS)(dice))
}
