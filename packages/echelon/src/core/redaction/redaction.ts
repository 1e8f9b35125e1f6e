import { ExactSecrets } from './exact-secrets.ts'
import { fieldRules, PERSONAL_FIELDS, SECRET_FIELDS } from './field-names.ts'
import { type Mark, placeholder } from './rule.ts'
import { textRedactor } from './text.ts'
import { walk } from './walk.ts'

export { type Mark, placeholder, REDACTED } from './rule.ts'

/** The rules for hiding values before anything is logged, traced or shown to an observer. */
export interface RedactionPolicy {
  /** Field names whose values are always hidden, in any case and with any separators. */
  readonly deny: readonly string[]
  /** Field names whose values are never hidden; overrides `deny` and the content rules. */
  readonly allow: readonly string[]
  /**
   * Whether to look for personal data and secrets inside free text too, and to hide fields whose names
   * end like those of secrets, such as `db_password`. Default true.
   */
  readonly content: boolean
  /**
   * Values to hide anywhere, such as the program's own keys. Those of fewer than 12 characters are
   * hidden as whole words only. Ignored, since they could be ordinary words: those of fewer than 6
   * characters, and well-known placeholders such as `ollama` and `not-needed`.
   */
  readonly secrets?: readonly string[]
}

export const DEFAULT_REDACTION: RedactionPolicy = {
  deny: [...SECRET_FIELDS, ...PERSONAL_FIELDS],
  allow: [],
  content: true,
}

/**
 * Returns a copy of a value with everything hidden that the policy names or that looks like personal
 * data or a secret. Every sink applies it. Pure: the value itself is not changed. JSON keeps its shape,
 * except that hidden fields become the string `[redacted]`. Maps and sets keep their type, errors become
 * objects, and a value with `toJSON`, such as a date or a URL, becomes its result.
 */
export type Redactor = <Value>(value: Value) => Value

/**
 * Creates a redactor for a policy; a `null` policy hides nothing.
 * @param mark the replacement for a hidden value; default `[redacted:kind]`, or `[redacted]` for a
 * field
 */
export function createRedactor(
  policy: RedactionPolicy | null = DEFAULT_REDACTION,
  mark: Mark = placeholder,
): Redactor {
  if (policy === null) return (value) => value
  const { content } = policy
  const { fateOf, labelOf } = fieldRules(policy)
  const textWith = (marking: Mark): ((text: string) => string) =>
    withoutSecrets(policy.secrets, textRedactor({ fateOf, labelOf }, content, marking), marking)
  const text = textWith(mark)
  // Only tests for a match; nothing is replaced.
  const look = mark === placeholder ? text : textWith(placeholder)
  const hides = (number: number | bigint): boolean => content && isHiddenNumber(number, look)

  // The overload keeps the caller's type: a visited value keeps its shape.
  function redact<Value>(value: Value): Value
  function redact(value: unknown): unknown {
    return walk(value, { fateOf, text, hides, mark })
  }
  return redact
}

function withoutSecrets(
  secrets: readonly string[] = [],
  hide: (text: string) => string,
  mark: Mark,
): (text: string) => string {
  if (secrets.length === 0) return hide
  const known = new ExactSecrets(secrets)
  const hidden = (secret: string): string => mark('secret', secret)
  return (text) => hide(known.hideIn(text, hidden))
}

/** A card number is also recognized as a number value. */
function isHiddenNumber(number: number | bigint, text: (text: string) => string): boolean {
  if (number < 1e11 || (typeof number === 'number' && !Number.isSafeInteger(number))) return false
  const written = String(number)
  return text(written) !== written
}

/** Replaces personal data and secrets in free text by `[redacted:kind]`. */
export const redactText: Redactor = createRedactor()
