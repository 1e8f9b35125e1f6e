import { EchelonError } from 'echelon/runtime'
import { redactText } from 'echelon/internal/redaction'

const LONGEST = 500

/** One line for the log: redacted, without line breaks, and bounded. */
export const logLine = (line: string): string =>
  redactText(line.slice(0, 4 * LONGEST))
    // oxlint-disable-next-line no-control-regex -- a log line must not hold any
    .replaceAll(/[\u0000-\u001F\u007F-\u009F]+/g, ' ')
    .slice(0, LONGEST)

/** The log's text for an error: its kind and message, without a stack. */
export function faultLine(error: unknown): string {
  if (error instanceof EchelonError) return `${error.code}: ${error.message}`
  if (error instanceof Error) return `${error.name}: ${error.message}`
  return 'an unknown fault'
}
