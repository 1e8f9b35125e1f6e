import { type Evidence, judgeRecorded, type Judging } from './judge-recorded.ts'
import { unusable } from './traces/fields.ts'
import type { RecordedAnswer, Trace } from './traces/trace.ts'

/** The figures of a model's answer, without its text. */
export interface TunedAnswer extends Evidence {
  readonly isRight: boolean
  /** US dollars of the answer; null if unknown. */
  readonly answerCost: number | null
  /** Seconds of the answer; null if unknown. */
  readonly answerLatency: number | null
}

/** The figures of a recorded task, without its text. */
export interface TunedTask {
  readonly id: string
  readonly group: string
  /** One for each model, from small to big. */
  readonly answers: readonly TunedAnswer[]
}

export interface TakeOptions extends Judging {
  /** From small to big. */
  readonly models: readonly string[]
  /** Returns the cost in US dollars of an answer without a recorded cost; null if unknown. */
  readonly costOf: (answer: RecordedAnswer) => number | null
  /** Name of the file, for messages. */
  readonly name: string
}

/**
 * Judges the answers of a recorded task and returns only figures, no text.
 * @throws EchelonError INVALID_INPUT for a task that lacks the answer of a model, or whether it is right
 */
export function takeTask(
  trace: Trace,
  { models, costOf, name, ...judging }: TakeOptions,
): TunedTask {
  const priced = trace.answers.map((answer) => ({ ...answer, cost: answer.cost ?? costOf(answer) }))
  const place = `${name}, line ${trace.line}`
  const answers = models.map((model, at) => {
    const answer = priced.find((each) => each.model === model)
    if (answer === undefined) {
      throw unusable(place, `lacks an answer of ${model}, which other lines have`)
    }
    if (answer.ok === null) {
      throw unusable(place, `needs \`gold\`, or \`ok\` in the answer of ${model}: is it right?`)
    }
    // Nothing is asked about the biggest model's answer.
    const isLast = at === models.length - 1
    const evidence = isLast
      ? UNASKED
      : judgeRecorded(judging, { ...trace, answers: priced }, answer)
    return {
      ...evidence,
      isRight: answer.ok,
      answerCost: answer.cost,
      answerLatency: answer.latency,
    }
  })
  return { id: trace.id, group: trace.group, answers }
}

const UNASKED: Evidence = { features: {}, settled: null, cost: 0, latency: 0 }
