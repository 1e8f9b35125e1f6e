import { fieldRules, PERSONAL_FIELDS, SECRET_FIELDS } from './redaction/field-names.ts'
import { textRedactor } from './redaction/text.ts'
import { walk } from './redaction/walk.ts'

export { REDACTED } from './redaction/walk.ts'

/** What is hidden before anything is logged, traced or shown to a watcher. */
export interface RedactionPolicy {
  /** Field names whose values are hidden whole, whatever their case and separators. */
  readonly deny: readonly string[]
  /** Field names whose values pass as they are; stronger than `deny` and than the content rules. */
  readonly allow: readonly string[]
  /**
   * Whether personal data and secrets are looked for inside free text too, and fields hidden whose
   * names end as those of secrets do, such as `db_password`. Default true.
   */
  readonly content: boolean
}

export const DEFAULT_REDACTION: RedactionPolicy = {
  deny: [...SECRET_FIELDS, ...PERSONAL_FIELDS],
  allow: [],
  content: true,
}

/**
 * The one boundary before every sink: the same value with everything hidden that the policy names
 * or that looks like personal data or a secret. Pure; the value itself is not changed. JSON keeps
 * its shape but for hidden fields, which become the string `[redacted]`. Maps and sets stay such,
 * errors become objects, and what has `toJSON`, as dates and URLs have, becomes what it gives.
 */
export type Redactor = <Value>(value: Value) => Value

/** A redactor for a policy; `null` as policy hides nothing. */
export function createRedactor(policy: RedactionPolicy | null = DEFAULT_REDACTION): Redactor {
  if (policy === null) return (value) => value
  const { content } = policy
  const { fateOf, labelOf } = fieldRules(policy)
  const text = textRedactor({ fateOf, labelOf }, content)
  const hides = (number: number | bigint): boolean => content && isHiddenNumber(number, text)

  // The overload keeps the caller's type: what is visited comes back in the same shape.
  function redact<Value>(value: Value): Value
  function redact(value: unknown): unknown {
    return walk(value, { fateOf, text, hides })
  }
  return redact
}

/** A card number is one, written as a number too. */
function isHiddenNumber(number: number | bigint, text: (text: string) => string): boolean {
  if (number < 1e11 || (typeof number === 'number' && !Number.isSafeInteger(number))) return false
  const written = String(number)
  return text(written) !== written
}

/** Personal data and secrets inside free text, each replaced by `[redacted:kind]`. */
export const redactText: Redactor = createRedactor()
