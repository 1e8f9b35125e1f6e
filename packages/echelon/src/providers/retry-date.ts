import { isRecord } from '../core/value/json.ts'

/**
 * What a model fails with; a date from which on it may be asked again is told as the milliseconds
 * until then, since the runtime, which waits, looks at no calendar.
 */
export async function withWait<Answer>(call: PromiseLike<Answer>): Promise<Answer> {
  try {
    return await call
  } catch (error) {
    const headers = isRecord(error) ? error['responseHeaders'] : undefined
    if (isRecord(headers) && headers['retry-after-ms'] === undefined) {
      const after = String(headers['retry-after'])
      // Seconds are the other form, and would be read as a year.
      const ms = Number.isNaN(Number(after)) ? Date.parse(after) - Date.now() : Number.NaN
      if (!Number.isNaN(ms)) Object.assign(headers, { 'retry-after-ms': String(Math.max(0, ms)) })
    }
    throw error
  }
}
