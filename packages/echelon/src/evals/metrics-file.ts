import { EchelonError } from '../core/value/error.ts'
import { isRecord } from '../core/value/json.ts'
import type { Metrics } from './metrics.ts'

/**
 * Reads an earlier `metrics.json`.
 * @param name of the file, for messages
 * @throws EchelonError INVALID_INPUT when it is invalid or of another version
 */
export function readMetrics(text: string, name: string): Metrics {
  const value = parse(text, name)
  if (!isMetrics(value)) {
    throw invalid(
      `${name} is not a metrics.json of this version; create it again with echelon eval`,
    )
  }
  return value
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalid(`${name} is not JSON; create it again with echelon eval`, cause)
  }
}

/** The text of `metrics.json`, with one case per line, so that two files diff well. */
export function writtenMetrics({ cases, ...figures }: Metrics): string {
  const head = JSON.stringify(figures, null, 2).slice(0, -2)
  const rows = cases.map((each) => `    ${JSON.stringify(each)}`).join(',\n')
  return `${head},\n  "cases": [\n${rows}\n  ]\n}\n`
}

/** Checks only the fields that a comparison reads. The rest was written by `metricsOf`. */
function isMetrics(value: unknown): value is Metrics {
  if (!isRecord(value) || value['kind'] !== 'metrics' || value['version'] !== 1) return false
  const { cases, latency, machine } = value
  return (
    isRecord(machine) &&
    isRecord(latency) &&
    isRecord(latency['easy_p95']) &&
    Array.isArray(cases) &&
    cases.every(
      (each: unknown) =>
        isRecord(each) &&
        typeof each['id'] === 'string' &&
        typeof each['digest'] === 'number' &&
        Array.isArray(each['runs']) &&
        each['runs'].length > 0,
    )
  )
}

const invalid = (message: string, cause?: unknown): EchelonError =>
  new EchelonError('INVALID_INPUT', message, { cause })
