import { EchelonError } from '../../../core/value/error.ts'
import { checkNames } from '../../../core/value/known-names.ts'
import { checkWanted } from '../answers/answer-gate.ts'
import type { CaseOptions } from './case-options.ts'
import type { Policy } from '../settings/modes.ts'
import { UNCHECKED } from '../settings/settings.ts'
import { type DecideInput, RULES } from '../state.ts'

/**
 * Builds the run's input from the caller's input and options.
 * @throws EchelonError INVALID_INPUT that says what to change
 */
export function caseInput(input: string, options: CaseOptions, policy: Policy): DecideInput {
  checkNames(options, KNOWN)
  checkText(input, policy.maxInputChars)
  const { expectedTools = [], goldAnswer = null, today = null, seed = null } = options
  const { unchecked = policy.unchecked } = options
  if (!UNCHECKED.includes(unchecked)) {
    throw invalid(`unchecked is ${JSON.stringify(unchecked)}; use ${UNCHECKED.join(', ')}`)
  }
  if (today !== null && !isIsoDate(today)) {
    throw invalid(`today is ${JSON.stringify(today)}, which is not a date; write one as 2025-09-08`)
  }
  if (options.timeZone !== undefined) checkZone(options.timeZone)
  if (seed !== null && !Number.isSafeInteger(seed)) throw invalid('the seed must be a whole number')
  const { wanted } = options
  if (wanted !== undefined) checkWanted(wanted)
  const { mode } = policy
  return {
    input,
    mode,
    expectedTools,
    goldAnswer,
    today,
    seed,
    unchecked,
    rules: RULES,
    ...(wanted !== undefined && { wanted }),
  }
}

/** Exactly the options of a case; the compiler reports a missing one. */
const OPTIONS: Readonly<Record<keyof CaseOptions, true>> = {
  mode: true,
  expectedTools: true,
  goldAnswer: true,
  signal: true,
  idempotencyKey: true,
  maxCost: true,
  runId: true,
  seed: true,
  today: true,
  unchecked: true,
  wanted: true,
  timeZone: true,
  taskId: true,
  contextId: true,
  made: true,
  suspend: true,
  traceparent: true,
  tracestate: true,
  onEvent: true,
  onLog: true,
}
const KNOWN = {
  kind: 'option of a case',
  names: Object.keys(OPTIONS),
  code: 'INVALID_INPUT',
} as const

function checkText(input: unknown, mostChars: number): void {
  if (typeof input !== 'string') throw invalid('the task must be text')
  if (input.trim() === '') throw invalid('the task is empty; say what is to be answered')
  if (input.length > mostChars) {
    throw invalid(
      `the task has ${input.length} characters and may have ${mostChars}; shorten it, or raise limits.max_input_chars`,
    )
  }
  if (!input.isWellFormed()) throw invalid('the task is not valid Unicode text; send it as UTF-8')
}

function checkZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone }).format(0)
  } catch {
    throw invalid(`${timeZone} is not a time zone; use an IANA name such as Asia/Bangkok`)
  }
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/

function isIsoDate(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`)
  return ISO_DATE.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

const invalid = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
