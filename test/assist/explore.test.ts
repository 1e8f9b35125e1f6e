import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assistAgent } from '../../packages/assist/src/assist-definition.ts'
import type { AssistState } from '../../packages/assist/src/assist-state.ts'
import { userMessage } from '../../packages/echelon/src/core/message/thread.ts'
import { settingsOf } from './fixtures.ts'
import { explored, type AssistDefinition } from './rules.ts'

describe('[L-8, L-9, L-10, L-13, L-14] the assistant, explored', () => {
  test('halts and keeps to its rules, for any models, memories and user messages', () => {
    const found = explored(assistAgent(settingsOf()))
    found.assertSound()
    assert.ok(found.states > 500, String(found.states))
    const reasons = [...found.reasons].toSorted()
    assert.deepEqual(reasons, ['answered', 'asked', 'canceled', 'failed', 'stopped'])
  })

  test('keeps to the same rules without a model', () => {
    const found = explored(assistAgent(settingsOf([])), { loads: true })
    found.assertSound()
  })

  test('is loaded from any stored state', () => {
    explored(assistAgent(settingsOf(['planner', 'executor'])), {
      loads: true,
      purity: false,
      heard: [],
      inputs: [{ text: 'Should I move?' }],
    }).assertSound()
  })
})

/** A definition with one fault, and the rule that must detect it. */
interface Mutant {
  readonly fault: string
  readonly rule: RegExp
  readonly definition: AssistDefinition
}

const sound = assistAgent(settingsOf())

const observing = (change: (state: AssistState) => AssistState): AssistDefinition => ({
  ...sound,
  observe(state, seen, meter) {
    const moved = sound.observe(state, seen, meter)
    return { ...moved, state: change(moved.state) }
  },
})

const MUTANTS: readonly Mutant[] = [
  {
    fault: 'it shows a draft that was judged to break the intent',
    rule: /reaches the user|once it was judged/,
    definition: observing((state) =>
      state.phase === 'revising'
        ? {
            phase: 'saying',
            turn: { ...state.turn, answer: state.turn.draft, outcome: 'answered' },
          }
        : state,
    ),
  },
  {
    fault: 'it counts no executions',
    rule: /every run ends|twice at most/,
    definition: observing(({ phase, turn }) => ({ phase, turn: { ...turn, executions: 0 } })),
  },
  {
    fault: 'the executor repairs its own answer',
    rule: /follows another plan/,
    definition: observing(({ phase, turn }) => ({
      phase: phase === 'revising' ? 'executing' : phase,
      turn,
    })),
  },
  {
    fault: 'the evaluator is sent the conversation',
    rule: /told nothing of the conversation/,
    definition: {
      ...sound,
      next(state) {
        const asked = sound.next(state)
        if (asked.type !== 'generate' || asked.role !== 'evaluator') return asked
        const said = JSON.stringify(state.turn.conversation)
        return { ...asked, messages: asked.messages.add(userMessage(said)) }
      },
    },
  },
  {
    fault: 'it does not listen to a stop',
    rule: /a stop ends the turn/,
    definition: assistAgent(settingsOf(undefined, { readUser: () => [] })),
  },
  {
    fault: 'the evaluator writes the intent',
    rule: /no actor requests an effect outside its capabilities|written by nobody/,
    definition: {
      ...sound,
      next(state) {
        const asked = sound.next(state)
        return asked.type === 'remember' ? { ...asked, memory: 'intent' } : asked
      },
    },
  },
]

for (const { fault, rule, definition } of MUTANTS) {
  test(`[L-8, L-9, L-10, L-13, L-14] the rules detect that ${fault}`, () => {
    const { findings } = explored(definition)
    assert.ok(
      findings.some((finding) => rule.test(finding.rule)),
      findings.map((finding) => finding.rule).join(),
    )
  })
}
