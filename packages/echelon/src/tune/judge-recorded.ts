import type { Attempt } from '../verify/answer.ts'
import { judgeBySeveral } from '../verify/several.ts'
import type { Judgment, Observed, Verifier, VerifierEffect } from '../verify/verifier.ts'
import type { RecordedAnswer, Trace } from './traces/trace.ts'

/** The evidence for a recorded answer, with its cost. */
export interface Evidence {
  readonly features: Judgment['features']
  /**
   * A verdict that no score overrides: `proved` is accepted, `refuted` is not. `silent`: features are missing, so
   * it has no score and is not accepted either.
   */
  readonly settled: 'proved' | 'refuted' | 'silent' | null
  /** US dollars of the opinions that were asked for; null if one of them is not known. */
  readonly cost: number | null
  /** Seconds that they took, one after another; null if one of them is not known. */
  readonly latency: number | null
}

/** Verifiers, with the models that they may ask. */
export interface Judging {
  readonly verifiers: readonly Verifier[]
  /** The models whose recorded answers the verifiers get, by the roles that they ask. */
  readonly roles: Readonly<Record<string, string>>
}

/**
 * Judges a recorded answer by verifiers. A model call that a verifier asks for is answered by the recorded answer of
 * the model of that role; anything else fails, since nothing is called.
 */
export function judgeRecorded(
  { verifiers, roles }: Judging,
  { task, answers }: Trace,
  { answer }: RecordedAnswer,
): Evidence {
  const attempt: Attempt = { task, answer, made: [] }
  const observed: Observed[] = []
  const asked: RecordedAnswer[] = []
  for (;;) {
    const judged = judgeBySeveral(verifiers, attempt, observed, (soFar) => soFar.some(isSettled))
    if (!('effects' in judged)) return evidenceOf(verifiers, judged.judgments, asked)
    for (const effect of judged.effects) {
      const opinion = answers.find(
        ({ model }) => effect.type === 'generate' && roles[effect.role] === model,
      )
      if (opinion !== undefined) asked.push(opinion)
      observed.push(opinion === undefined ? notRecorded(effect) : generated(opinion))
    }
  }
}

/** `calibratedScore` stops here too. */
const isSettled = ({ verdict }: Judgment): boolean => verdict === 'proved' || verdict === 'refuted'

function evidenceOf(
  verifiers: readonly Verifier[],
  judgments: readonly Judgment[],
  asked: readonly RecordedAnswer[],
): Evidence {
  const features: Judgment['features'] = Object.assign(
    {},
    ...judgments.map((each) => each.features),
  )
  const settled = judgments.find(isSettled)
  const isWhole = verifiers.every((each) => each.features.every((name) => name in features))
  const cost = sumOf(asked.map((opinion) => opinion.cost))
  const latency = sumOf(asked.map((opinion) => opinion.latency))
  const verdict = settled?.verdict
  if (verdict === 'proved' || verdict === 'refuted') {
    return { features, settled: verdict, cost, latency }
  }
  return { features, settled: isWhole ? null : 'silent', cost, latency }
}

/** Adds up parts; null if one is unknown. */
export const sumOf = (parts: readonly (number | null)[]): number | null =>
  parts.reduce<number | null>((sum, part) => (sum === null || part === null ? null : sum + part), 0)

const generated = ({ model, answer, usage, cost }: RecordedAnswer): Observed => ({
  type: 'generated',
  text: answer.type === 'json' ? JSON.stringify(answer.value) : (answer.text ?? ''),
  calls: answer.type === 'calls' ? answer.calls : [],
  finish: answer.type === 'calls' ? 'tools' : 'stop',
  model,
  usage: usage ?? { input: 0, output: 0 },
  cost,
})

const notRecorded = (effect: VerifierEffect): Observed => ({
  type: 'failed',
  error: {
    code: 'invalid-request',
    message:
      effect.type === 'generate'
        ? `the traces hold no answer of ${effect.role}`
        : 'tools are not called while traces are read',
    retryable: false,
    attempts: 0,
  },
})
