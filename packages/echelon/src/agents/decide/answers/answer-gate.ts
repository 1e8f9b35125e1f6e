import { EchelonError } from '../../../core/value/error.ts'
import type { Wanted } from '../../../verify/answer.ts'
import { format } from '../../../verify/format/format.ts'
import { checkGate } from '../../../verify/gate.ts'
import type { VerifiedGate } from '../../../verify/rule-on.ts'

/**
 * Decides about answers to questions that no verifier reads: words, JSON or a choice that the model gives directly,
 * and results of its tools. An answer whose score reaches `accept` is `supported`; below it, the next model is asked.
 */
export interface AnswerGate extends Pick<VerifiedGate, 'verify' | 'accept'> {
  /**
   * Models of the roles that the verifier asks, such as `{ opinion: 'openai/gpt-5-nano' }`. `small` is the model that
   * answered. A role without a model fails, and the verifier is told so.
   */
  readonly ask?: Readonly<Record<string, string>>
}

/** The kinds of answer that a case can ask for. */
export type WantedAnswer = Exclude<Wanted, { readonly kind: 'calls' }>

export const WANTED_KINDS = ['number', 'date', 'yes-no', 'choice', 'json', 'text'] as const

/** Without a gate, answers must have the form that was asked for, and stay unchecked. */
export const FORM_ALONE: AnswerGate = { verify: format, accept: 1 }

/** Roles of the ladder, which a gate may not name anew. */
const TAKEN = /^(?:small|big|rung\d+)$/

/** @throws EchelonError INVALID_CONFIG that says what to change */
export function checkAnswerGate(gate: AnswerGate): void {
  checkGate('gate', gate)
  const taken = Object.keys(gate.ask ?? {}).find((role) => TAKEN.test(role))
  if (taken === undefined) return
  throw new EchelonError(
    'INVALID_CONFIG',
    `gate: the role ${taken} belongs to the ladder; choose another name in ask`,
  )
}

const MOST_CHOICES = 50
const LONGEST_CHOICE = 200

/**
 * Checks the kind of answer that a case asks for.
 * @throws EchelonError INVALID_INPUT that says what to write
 */
export function checkWanted(wanted: WantedAnswer): void {
  const { kind } = wanted
  if (!WANTED_KINDS.includes(kind)) {
    throw invalid(`its kind is ${JSON.stringify(kind)}; use ${WANTED_KINDS.join(', ')}`)
  }
  if (kind === 'json' && (typeof wanted.schema !== 'object' || wanted.schema === null)) {
    throw invalid('json needs a JSON Schema as schema')
  }
  if (kind !== 'choice') return
  const { choices } = wanted
  const isList = Array.isArray(choices) && choices.length >= 2 && choices.length <= MOST_CHOICES
  if (!isList || !choices.every((one) => isChoice(one))) {
    throw invalid(
      `choice needs 2 to ${MOST_CHOICES} choices of at most ${LONGEST_CHOICE} characters each`,
    )
  }
}

const isChoice = (one: unknown): boolean =>
  typeof one === 'string' && one.trim() !== '' && one.length <= LONGEST_CHOICE

const invalid = (message: string): EchelonError =>
  new EchelonError('INVALID_INPUT', `wanted: ${message}`)
