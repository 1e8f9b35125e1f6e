import { EchelonError } from '../value/error.ts'

/**
 * Maximum time that a model may send nothing, in milliseconds, for calls without their own timeout.
 * `Infinity` means no limit.
 */
export interface ModelTimeouts {
  /** Until the first part of a streamed answer, or until the whole of any other answer. */
  readonly answerMs: number
  /** Between two parts of a streamed answer. It takes effect after 1 to 1.25 times this value. */
  readonly pauseMs: number
}

/**
 * Five minutes for an answer, since a reasoning model may send nothing for minutes, sometimes not even
 * headers; two minutes between two parts.
 */
export const DEFAULT_MODEL_TIMEOUTS: ModelTimeouts = { answerMs: 300_000, pauseMs: 120_000 }

/**
 * Completes the given timeouts with defaults.
 * @throws EchelonError INVALID_CONFIG for values that are not above 0
 */
export function completeTimeouts(
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
