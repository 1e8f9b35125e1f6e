import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Message } from '../../echelon/src/core/message/thread.ts'
import { DEFAULT_INTENT, type Intent } from './intent/intent.ts'
import { ALTITUDES, type Plan } from './plan/plan.ts'
import { ALL_ASKED, reflect, WITHOUT_A_MODEL } from './reflection.ts'
import { readDraft } from './sense/read-draft.ts'
import { sentenceDigests } from './session/turn-marks.ts'

const PLAN: Plan = { approach: 'exploration', altitude: 'L3', constraints: [], focus: [] }

const INPUTS = [
  'Should I take the job in Berlin?',
  'I want to be more with my family.',
  'How do I write a budget?',
  'ok',
  '',
  'x'.repeat(30_000),
]

/** The answers of a conversation. */
function conversation(turns: number, intent: Intent, plan: Plan): readonly string[] {
  const history: Message[] = []
  return Array.from({ length: turns }, (_, turn) => {
    const input = INPUTS[turn % INPUTS.length] ?? ''
    const answer = reflect({ input, intent, plan, history })
    history.push(
      { role: 'user', content: [{ type: 'text', text: input }] },
      { role: 'assistant', content: [{ type: 'text', text: answer }] },
    )
    return answer
  })
}

describe('an answer without a model', () => {
  test('says once that no model answers, and what that means', () => {
    const answers = conversation(6, DEFAULT_INTENT, PLAN)
    assert.ok(answers[0]?.startsWith(WITHOUT_A_MODEL))
    assert.equal(answers.filter((answer) => answer.includes(WITHOUT_A_MODEL)).length, 1)
  })

  test('asks by the user’s own north stars, starting with one that the message names', () => {
    const family = reflect({
      input: 'My family is far away',
      intent: DEFAULT_INTENT,
      plan: PLAN,
      history: [],
    })
    assert.match(family, /touches a word of “family present”.*“family present”.*\?$/s)
    const own = { ...DEFAULT_INTENT, north_stars: ['sail around the world'] }
    const sail = reflect({ input: 'hello', intent: own, plan: PLAN, history: [] })
    assert.match(sail, /“sail around the world”/)
    assert.doesNotMatch(sail, /touches a word/)
  })

  test('never repeats itself twice in a row, and admits when all is asked', () => {
    for (const altitude of ALTITUDES) {
      const answers = conversation(60, DEFAULT_INTENT, { ...PLAN, altitude })
      answers.forEach((answer, at) => assert.notEqual(answer, answers[at + 1]))
      const allAsked = answers.indexOf(ALL_ASKED)
      assert.ok(allAsked > 8, altitude)
      assert.equal(new Set(answers.slice(0, allAsked)).size, allAsked)
      assert.equal(answers.filter((answer) => answer === ALL_ASKED).length, 1)
    }
  })

  test('keeps to the given intent', () => {
    for (const altitude of ALTITUDES) {
      const plan = { ...PLAN, altitude }
      const answers = conversation(9, DEFAULT_INTENT, plan)
      const said: number[] = []
      for (const [turn, draft] of answers.entries()) {
        const earlier = [
          {
            turn,
            user_words: 1,
            answer_words: 1,
            asked: true,
            approach: '',
            altitude,
            sentences: [...said],
          },
        ]
        const report = { user_input: '', draft, earlier }
        const findings = readDraft(draft, { intent: DEFAULT_INTENT, plan, report })
        assert.deepEqual(
          findings.filter(({ confidence }) => confidence >= 0.5),
          [],
        )
        said.push(...sentenceDigests(draft))
      }
    }
  })

  test('continues without north stars', () => {
    const none = { ...DEFAULT_INTENT, north_stars: [] }
    assert.match(reflect({ input: 'hi', intent: none, plan: PLAN, history: [] }), /\?$/)
  })
})
