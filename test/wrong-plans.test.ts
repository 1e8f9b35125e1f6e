import assert from 'node:assert/strict'
import { test } from 'node:test'
import math from 'mathjs/lib/browser/math.js'
import { readQuestion } from './decide/verifiers.ts'
import { FRESH_TRAPS } from './wrong-plans/fresh-traps.ts'
import { HELD_OUT } from './wrong-plans/held-out.ts'
import { MORE_TRAPS } from './wrong-plans/more-traps.ts'
import { OTHER_WRITERS } from './wrong-plans/other-writers.ts'
import { same, wrongValues } from './wrong-plans/plans.ts'
import { TRAPS } from './wrong-plans/traps.ts'
import { type Question, QUESTIONS } from './wrong-plans/questions.ts'

interface Score {
  readonly questions: number
  readonly proved: number
  readonly unverified: number
  /** Questions whose own reading is wrong: for each of them some wrong plan would be accepted. */
  readonly misread: readonly string[]
  readonly plans: number
  readonly wrongAccepts: number
}

/** Accepts like the verifier: a value is proved if a reading of the question gives it. */
function readingsOf(text: string): readonly number[] {
  const claim = readQuestion(text)
  return claim.kind === 'math' ? claim.expressions.map((expr) => Number(math.evaluate(expr))) : []
}

function score(questions: readonly Question[]): Score {
  const rows = questions.map((question) => {
    const [text, right] = question
    const readings = readingsOf(text)
    const wrong = wrongValues(question)
    return {
      text,
      proved: right !== null && readings.some((value) => same(value, right)),
      silent: readings.length === 0,
      misread: readings.some((value) => right === null || !same(value, right)),
      plans: wrong.length,
      wrongAccepts: wrong.filter((value) => readings.some((reading) => same(reading, value)))
        .length,
    }
  })
  return {
    questions: rows.length,
    proved: rows.filter(({ proved }) => proved).length,
    unverified: rows.filter(({ silent }) => silent).length,
    misread: rows.filter(({ misread }) => misread).map(({ text }) => text),
    plans: rows.reduce((sum, { plans }) => sum + plans, 0),
    wrongAccepts: rows.reduce((sum, { wrongAccepts }) => sum + wrongAccepts, 0),
  }
}

function print(
  name: string,
  { questions, proved, unverified, misread, plans, wrongAccepts }: Score,
): string {
  const share = (n: number, of: number): string => `${((100 * n) / of).toFixed(2)} %`
  return [
    `${name}: ${questions} questions, ${plans} wrong plans`,
    `right answers proved ${share(proved, questions)}, unverified ${share(unverified, questions)}`,
    `wrong accepts ${wrongAccepts} (${share(wrongAccepts, plans)} of wrong plans),`,
    `questions misread ${misread.length} (${share(misread.length, questions)})`,
  ].join('\n  ')
}

for (const [name, questions, least] of [
  ['built with', QUESTIONS, 0.7],
  ['held out', HELD_OUT, 0.5],
  ['traps', TRAPS, 0],
  ['traps, second set', MORE_TRAPS, 0],
  ['traps, fresh', FRESH_TRAPS, 0],
  ['after other writers', OTHER_WRITERS, 0.25],
] as const) {
  test(`[DD-8] wrong plans are not proved: ${name}`, (t) => {
    const result = score(questions)
    t.diagnostic(print(name, result))
    assert.equal(result.wrongAccepts, 0)
    assert.deepEqual(result.misread, [])
    assert.ok(result.proved >= least * result.questions, 'too few right answers are proved')
  })
}

test('[DD-8] every question has at least three wrong plans', () => {
  for (const question of [
    ...QUESTIONS,
    ...HELD_OUT,
    ...TRAPS,
    ...MORE_TRAPS,
    ...FRESH_TRAPS,
    ...OTHER_WRITERS,
  ]) {
    const few = question[1] === null ? 1 : 3
    assert.ok(wrongValues(question).length >= few, question[0])
  }
})

/** A change of a question, and whether its old answer may still be given. */
const CHANGES: readonly (readonly [
  name: string,
  change: (text: string) => string,
  stays: boolean,
])[] = [
  [
    'asks for another thing',
    (text) => text.replace(/How many (?:more |fewer )?\w+/, 'How many kites'),
    false,
  ],
  [
    'asks about somebody else',
    (text) => text.replace(/(?<=\b(?:does|did) )(?:[A-Z]\w+|he|she|it)\b/, 'Zed'),
    false,
  ],
  ['asks for the opposite', (text) => text.replace(/(?<=\b(?:does|did) )(\w+)/, '$1 not'), false],
  [
    'something unnumbered happens',
    (text) => beforeQuestion(text, 'Then some of them got lost.'),
    false,
  ],
  ['a number is a bound', (text) => text.replace(/(?<!\$)\b(\d+)(?= \w)/, 'at least $1'), false],
  ['somebody else comes in', (text) => beforeQuestion(text, 'Zed has 4 kites.'), true],
  ['a remark comes in', (text) => beforeQuestion(text, 'The sky was blue.'), true],
]

function beforeQuestion(text: string, sentence: string): string {
  const end = text.lastIndexOf('. ')
  return end < 0 ? text : `${text.slice(0, end + 1)} ${sentence}${text.slice(end + 1)}`
}

for (const [name, change, stays] of CHANGES) {
  test(`[DD-8] another question does not keep the answer: ${name}`, (t) => {
    const changed = [...QUESTIONS, ...HELD_OUT].flatMap(([text, right]) => {
      const other = change(text)
      return other === text ? [] : [{ other, right }]
    })
    const wrong = changed.filter(({ other, right }) =>
      readingsOf(other).some((value) => !stays || right === null || !same(value, right)),
    )
    t.diagnostic(`${changed.length} changed questions, ${wrong.length} answered wrongly`)
    assert.ok(changed.length >= 40, 'too few questions were changed')
    assert.deepEqual(
      wrong.map(({ other }) => other),
      [],
    )
  })
}
