import { fieldRules, PERSONAL_FIELDS, SECRET_FIELDS } from './field-names.ts'
import { type Mark, placeholder } from './rule.ts'
import { textRedactor } from './text.ts'
import { walk } from './walk.ts'

export { type Mark, placeholder, REDACTED } from './rule.ts'

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
  /**
   * Values that are hidden wherever they stand, such as the keys that a program itself holds. Those
   * of fewer than 12 characters are left out: they could be words of any text.
   */
  readonly secrets?: readonly string[]
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

/**
 * A redactor for a policy; `null` as policy hides nothing.
 * @param mark what stands in place of what is hidden; default `[redacted:kind]`, or `[redacted]` for a
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
  // Only looks: nothing stands for what it finds.
  const look = mark === placeholder ? text : textWith(placeholder)
  const hides = (number: number | bigint): boolean => content && isHiddenNumber(number, look)

  // The overload keeps the caller's type: what is visited comes back in the same shape.
  function redact<Value>(value: Value): Value
  function redact(value: unknown): unknown {
    return walk(value, { fateOf, text, hides, mark })
  }
  return redact
}

/** Servers that take any key are given keys such as `ollama` and `not-needed`. */
const SHORTEST_SECRET = 12

function withoutSecrets(
  secrets: readonly string[] = [],
  hide: (text: string) => string,
  mark: Mark,
): (text: string) => string {
  const known = secrets.filter(({ length }) => length >= SHORTEST_SECRET)
  const hideOne = (text: string, secret: string): string =>
    text.replaceAll(secret, () => mark('secret', secret))
  return known.length === 0 ? hide : (text) => hide(known.reduce(hideOne, text))
}

/** A card number is one, written as a number too. */
function isHiddenNumber(number: number | bigint, text: (text: string) => string): boolean {
  if (number < 1e11 || (typeof number === 'number' && !Number.isSafeInteger(number))) return false
  const written = String(number)
  return text(written) !== written
}

/** Personal data and secrets inside free text, each replaced by `[redacted:kind]`. */
export const redactText: Redactor = createRedactor()
