import assert from 'node:assert/strict'
import { test } from 'node:test'
import math from 'mathjs/lib/browser/math.js'
import { readQuestion } from './verifiers.ts'
import { standardTools } from '@echelon/tools'
import { share } from '../share.ts'
import { MORE_TRAPS } from '../wrong-plans/more-traps.ts'
import { FRESH_TRAPS } from '../wrong-plans/fresh-traps.ts'
import { HELD_OUT } from '../wrong-plans/held-out.ts'
import { OTHER_WRITERS } from '../wrong-plans/other-writers.ts'
import { same } from '../wrong-plans/plans.ts'
import { QUESTIONS } from '../wrong-plans/questions.ts'
import { TRAPS } from '../wrong-plans/traps.ts'
import type { ScriptedAnswer } from '../../packages/echelon/src/testing/scripted-model.ts'
import { calc, date, planOf, scripted, toldTo } from './fixtures.ts'

const ALL = share(
  [...QUESTIONS, ...HELD_OUT, ...TRAPS, ...MORE_TRAPS, ...FRESH_TRAPS, ...OTHER_WRITERS],
  100,
)

const WHY = 'Why that was not accepted:\n'

/** The part of a prompt about the previous plan; empty in the first one. */
const reasonIn = (told: string): string | undefined => told.split(WHY)[1]

const NUMBER = /\d[\d,]*(?:\.\d+)?/g

const numbersIn = (text: string): readonly number[] =>
  (text.match(NUMBER) ?? []).map((one) => Number(one.replaceAll(',', '')))

/** Plans a number that is not in the question, and afterwards the last number in its prompt. */
function copying(told: string[]): ScriptedAnswer {
  return (options) => {
    const text = toldTo(options)
    told.push(text)
    const last = numbersIn(reasonIn(text) ?? '').at(-1)
    return planOf(calc(String(last ?? 987_654_321)))
  }
}

/** Results of the question's own reading. */
function readingsOf(text: string): readonly number[] {
  const claim = readQuestion(text)
  return claim.kind === 'math' ? claim.expressions.map((expr) => Number(math.evaluate(expr))) : []
}

test('[DD-8] a model that copies numbers from its prompt is never wrong and verified', async (t) => {
  const tools = await standardTools()
  const wrong: string[] = []
  const leaks: string[] = []
  let failedRounds = 0
  for (const [question, right] of ALL) {
    const told: string[] = []
    const answers = Array.from({ length: 4 }, () => copying(told))
    const { decider } = scripted({ small: answers, big: answers, tools })
    const { verified, answer } = await decider.runCase(question)
    if (verified && (right === null || !same(Number(answer), right))) wrong.push(question)
    const readings = readingsOf(question)
    for (const prompt of told.slice(1)) {
      failedRounds++
      const known = [...numbersIn(question), ...numbersIn(planBefore(prompt))]
      const isLeak = numbersIn(reasonIn(prompt) ?? '').some(
        (number) => !known.includes(number) && readings.some((value) => same(value, number)),
      )
      if (isLeak) leaks.push(question)
    }
  }
  t.diagnostic(`${ALL.length} questions, ${failedRounds} prompts after a failed round`)
  assert.ok(failedRounds > ALL.length / 2)
  assert.deepEqual(leaks, [])
  assert.deepEqual(wrong, [])
})

const planBefore = (prompt: string): string =>
  prompt.split(WHY)[0]?.split('The plan before')[1] ?? ''

test('[DD-8] a model never reads the date that the question itself gives', async () => {
  const tools = await standardTools()
  const told: string[] = []
  const wrong: ScriptedAnswer = (options) => {
    told.push(toldTo(options))
    return planOf(date('two days after March 3, 2025'))
  }
  const { decider } = scripted({ small: [wrong, wrong], big: [wrong, wrong], tools })
  const { explanation, verified } = await decider.runCase(
    'What date is five weeks after March 3, 2025?',
  )
  assert.equal(verified, false)
  assert.equal(told.length, 4)
  for (const prompt of told.slice(1)) {
    assert.match(prompt, /the date differs/)
    assert.doesNotMatch(prompt, /April 7/)
  }
  assert.match(explanation, /the question itself gives Monday, April 7, 2025/)
})
