import type { ToolCall } from '../../../packages/echelon/src/core/tool/tool-call.ts'
import type { Attempt } from '../../../packages/echelon/src/verify/answer.ts'
import type {
  AskModel,
  Judgment,
  Observed,
  Verifier,
} from '../../../packages/echelon/src/verify/verifier.ts'

/** A judgment of recorded answers, and how many of them the verifier asked for. */
export interface JudgedByRecord {
  readonly judgment: Judgment
  readonly asked: number
}

/**
 * Judges an attempt, with recorded answers in the place of model calls.
 * @param answer the recorded answer to a call; `asked` counts the calls before it
 */
export function judgeByRecord(
  verifier: Verifier,
  attempt: Attempt,
  answer: (ask: AskModel, asked: number) => Observed,
): JudgedByRecord {
  const observed: Observed[] = []
  for (;;) {
    const judgment = verifier.verify(attempt, observed)
    if (judgment.verdict !== 'ask') return { judgment, asked: observed.length }
    for (const effect of judgment.effects) {
      if (effect.type !== 'generate') throw new Error('a recorded answer calls no tools')
      observed.push(answer(effect, observed.length))
    }
  }
}

/** A recorded answer as a model's. */
export const recorded = (
  model: string,
  text: string,
  calls: readonly ToolCall[] = [],
): Observed => ({
  type: 'generated',
  text,
  calls,
  finish: calls.length > 0 ? 'tools' : 'stop',
  model,
  usage: { input: 0, output: 0 },
  cost: null,
})
