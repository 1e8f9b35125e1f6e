import { isRecord } from '../core/value/json.ts'

/**
 * Passes a call's failure on, with a retry date converted to milliseconds from now, because the
 * runtime does not read the wall clock.
 */
export async function withWait<Answer>(call: PromiseLike<Answer>): Promise<Answer> {
  try {
    return await call
  } catch (error) {
    const headers = isRecord(error) ? error['responseHeaders'] : undefined
    if (isRecord(headers) && headers['retry-after-ms'] === undefined) {
      const after = String(headers['retry-after'])
      // Plain seconds are the other form and would parse as a year.
      const ms = Number.isNaN(Number(after)) ? Date.parse(after) - Date.now() : Number.NaN
      if (!Number.isNaN(ms)) Object.assign(headers, { 'retry-after-ms': String(Math.max(0, ms)) })
    }
    throw error
  }
}
