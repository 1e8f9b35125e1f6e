import { EchelonError } from '../../core/value/error.ts'

export interface HistoryTokens {
  readonly maxTokens: number
  readonly keepTokens?: number
}

/** In bytes. */
export interface HistoryLimits {
  readonly most: number
  readonly keep: number
}

export const BYTES_PER_TOKEN = 4
const LEAST_TOKENS = 200

/**
 * @param who the middleware's name for messages, such as `summarising`
 * @throws EchelonError INVALID_CONFIG for an invalid limit
 */
export function historyLimits(
  who: string,
  { maxTokens, keepTokens }: HistoryTokens,
): HistoryLimits {
  const invalid = (sentence: string): EchelonError =>
    new EchelonError('INVALID_CONFIG', `${who}: ${sentence}`)
  if (!Number.isInteger(maxTokens) || maxTokens < LEAST_TOKENS) {
    throw invalid(`maxTokens cannot be ${maxTokens}; give a whole number from ${LEAST_TOKENS} on`)
  }
  const keep = keepTokens ?? Math.floor(maxTokens / 2)
  const mostKept = maxTokens - LEAST_TOKENS / 2
  if (!Number.isInteger(keep) || keep < 1 || keep > mostKept) {
    throw invalid(`keepTokens cannot be ${keep}; give a whole number from 1 to ${mostKept}`)
  }
  return { most: maxTokens * BYTES_PER_TOKEN, keep: keep * BYTES_PER_TOKEN }
}
