import { EchelonError } from '../value/error.ts'

/**
 * How long a model may be silent, in milliseconds, where the call has no time limit of its own.
 * `Infinity` is no limit.
 */
export interface ModelTimeouts {
  /** Until the first part of a streamed answer, or until an answer that is not streamed is there. */
  readonly answerMs: number
  /** Between two parts of a streamed answer. It is held within a quarter: after 1 to 1.25 times. */
  readonly pauseMs: number
}

/**
 * Five minutes for an answer, since a model that reasons may think for minutes before it says anything
 * and a server may hold back even the headers until then; two minutes between two parts.
 */
export const DEFAULT_MODEL_TIMEOUTS: ModelTimeouts = { answerMs: 300_000, pauseMs: 120_000 }

/**
 * What is given, and the default for the rest.
 * @throws EchelonError INVALID_CONFIG for what is no number of milliseconds above 0
 */
export function wholeTimeouts(
  name: string,
  given: Partial<ModelTimeouts>,
  rest: ModelTimeouts = DEFAULT_MODEL_TIMEOUTS,
): ModelTimeouts {
  const { answerMs = rest.answerMs, pauseMs = rest.pauseMs } = given
  for (const [field, value] of Object.entries({ answerMs, pauseMs })) {
    if (value > 0) continue
    throw new EchelonError(
      'INVALID_CONFIG',
      `${name}.${field} is ${value}; give milliseconds above 0, or Infinity for no limit`,
    )
  }
  return { answerMs, pauseMs }
}
