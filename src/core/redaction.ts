import { isRecord } from './json.ts'

/** What is hidden before anything is logged, traced or shown to a watcher. */
export interface RedactionPolicy {
  /** Field names whose values are hidden whole, whatever their case and separators. */
  readonly deny: readonly string[]
  /** Field names whose values pass as they are; stronger than `deny` and than the content rules. */
  readonly allow: readonly string[]
  /** Whether personal data and secrets are looked for inside free text too. Default true. */
  readonly content: boolean
}

export const DEFAULT_REDACTION: RedactionPolicy = {
  deny: [
    'api_key',
    'apikey',
    'authorization',
    'cookie',
    'credential',
    'password',
    'passwd',
    'private_key',
    'secret',
    'session_token',
    'token',
    'pwd',
    'x_api_key',
    'auth_token',
    'bearer_token',
    'set_cookie',
    'access_token',
    'refresh_token',
    'client_secret',
  ],
  allow: [],
  content: true,
}

export const REDACTED = '[redacted]'

/**
 * The one boundary before every sink: the same value with everything hidden that the policy names
 * or that looks like personal data or a secret. Pure; the value itself is not changed, and keeps
 * its shape but for hidden fields, which become the string `[redacted]`.
 */
export type Redactor = <Value>(value: Value) => Value

/** A redactor for a policy; `null` as policy hides nothing. */
export function createRedactor(policy: RedactionPolicy | null = DEFAULT_REDACTION): Redactor {
  if (policy === null) return (value) => value
  const { content } = policy
  const deny = new Set(policy.deny.map(normaliseName))
  const allow = new Set(policy.allow.map(normaliseName))

  // The overload keeps the caller's type: what is visited comes back in the same shape.
  function visit<Value>(value: Value): Value
  function visit(value: unknown): unknown {
    if (typeof value === 'string') return content ? redactText(value) : value
    if (typeof value === 'number') return content && isHiddenNumber(value) ? REDACTED : value
    if (Array.isArray(value)) return value.map((item: unknown) => visit(item))
    if (!isRecord(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        content ? redactText(name) : name,
        visitField(normaliseName(name), inner),
      ]),
    )
  }
  function visitField(name: string, value: unknown): unknown {
    if (allow.has(name)) return value
    return deny.has(name) ? REDACTED : visit(value)
  }
  return visit
}

const normaliseName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

interface ContentRule {
  readonly kind: string
  readonly pattern: RegExp
  /** The part of a find, from its start, that it really is; what a pattern cannot tell. */
  readonly part?: (found: string) => string
}

/**
 * Order counts: a rule sees what the ones before it have left. Repetitions that a hostile text
 * could begin at many places are bounded, so that time grows with the length and not its square.
 */
const CONTENT_RULES: readonly ContentRule[] = [
  {
    kind: 'private-key',
    pattern:
      /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  { kind: 'jwt', pattern: /\beyJ[\w-]{8,512}\.[\w-]{8,8192}\.[\w-]*/g },
  {
    kind: 'credentials',
    pattern: /(?<=\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@:]{0,256}:[^\s/@]{1,256}(?=@)/gi,
  },
  {
    kind: 'authorization',
    pattern: /(?<=\b(?:bearer|basic)\s{1,3})[\w.~+/-]{8,}=*/gi,
    part: (found) => (isNoWord(found) ? found : ''),
  },
  {
    kind: 'secret',
    pattern:
      /\b(?:(?:sk|pk|rk|hf)[-_]|(?:xox[abposr]|gh[pousr]|github_pat|glpat|AKIA|ASIA|AIza|ya29)[-_.]?)(?=[\w-]{0,64}\d)[\w-]{16,}/g,
  },
  {
    kind: 'secret',
    pattern:
      /(?<=(?:(?:api|access|private)[_-]?key|token|secret|passw(?:or)?d|pwd)(?:\\?["'])?\s{0,3}[:=]\s{0,3}(?:\\?["'])?)(?:\\(?!["'])|[^\s"'\\&,;]){4,}/gi,
  },
  {
    // In words ("my password is hunter2") and in the query of a URL.
    kind: 'secret',
    pattern:
      /(?<=\b(?:api[ _-]?key|access[ _-]?token|password|passwd|passphrase|pin code)(?:\s{1,3}(?:is|was)\s{1,3}|\s{0,3}[:=]\s{0,3}))["']?[^\s"',;]{3,}/gi,
  },
  {
    kind: 'secret',
    pattern: /(?<=[?&](?:key|api_?key|token|sig|signature|auth|access_token|code)=)[^\s&#"']{6,}/gi,
  },
  {
    kind: 'secret',
    pattern: /(?<=\b(?:token|api[ _-]?key|secret)\s{1,3})[\w.~+/-]{12,}/gi,
    part: (found) => (isNoWord(found) ? found : ''),
  },
  {
    kind: 'email',
    pattern:
      /[\p{L}\p{N}_.!#$%&'*+/=?^`{|}~-]{1,64}@[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63})*\.\p{L}[\p{L}\d-]{1,62}/giu,
  },
  {
    kind: 'iban',
    pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?\b/g,
    part: ibanIn,
  },
  {
    // As the schemes issue them, unbroken or in their usual groups, so that rows of numbers stay.
    kind: 'card',
    pattern:
      /(?<![\w.])(?:4\d{12}(?:\d{3}){0,2}|(?:5[1-5]|2[2-7]|35)\d{14}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|6\d{15,18}|(?:[46]\d|5[1-5]|2[2-7]|35)\d\d([ -])\d{4}\1\d{4}\1\d{4}|3[47]\d\d([ -])\d{6}\2\d{5})(?!\w|\.\d)/g,
    part: (found) => (isCardNumber(found) ? found : ''),
  },
  { kind: 'ssn', pattern: /\b(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}\b/g },
  { kind: 'ssn', pattern: /(?<=\bSSN:?\s{1,3})\d{3}[ -]?\d{2}[ -]?\d{4}\b/gi },
  {
    kind: 'phone',
    pattern:
      /(?<![\w.])(?:\+\d{1,3}[ .-]?(?:\(\d{1,4}\)|\d{1,4})(?:[ .-]?\d{2,4}){2,4}|\(\d{3}\) ?\d{3}[-. ]\d{4}|\d{3}[-.]\d{3}[-.]\d{4})(?!\w)/g,
    part: (found) => (found.replaceAll(/\D/g, '').length >= LEAST_PHONE_DIGITS ? found : ''),
  },
]

/** Fewer, and it is an increase (`+250000`). */
const LEAST_PHONE_DIGITS = 8

/** Personal data and secrets inside free text, each replaced by `[redacted:kind]`. */
export function redactText(text: string): string {
  let left = text
  for (const { kind, pattern, part } of CONTENT_RULES) {
    left = left.replaceAll(pattern, (found) => {
      const hidden = part === undefined ? found : part(found)
      return hidden === '' ? found : `[redacted:${kind}]${found.slice(hidden.length)}`
    })
  }
  return left
}

/** A card number is one, written as a number too. */
const isHiddenNumber = (value: number): boolean =>
  value > 1e11 && Number.isSafeInteger(value) && redactText(String(value)) !== String(value)

/** A token rather than the next word of a sentence: "basic arithmetic" stays. */
const isNoWord = (text: string): boolean =>
  /\d.*[a-z]|[a-z].*\d|=|[a-z][A-Z].*[a-z][A-Z]|.{32}/.test(text)

/** Luhn's checksum (ISO/IEC 7812-1): keeps ordinary long numbers out of the card rule. */
function isCardNumber(text: string): boolean {
  const digits = Array.from(text.replaceAll(/\D/g, ''), Number).toReversed()
  const sum = digits.reduce((total, digit, index) => {
    const doubled = index % 2 === 1 ? digit * 2 : digit
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0 && new Set(digits).size > 1
}

/** The IBAN at the start of a find that may hold the words after it, in groups of four too. */
function ibanIn(found: string): string {
  for (let end = found.length; end > 0; end = found.lastIndexOf(' ', end - 1)) {
    const text = found.slice(0, end)
    if (isIban(text)) return text
  }
  return ''
}

/** The check digits of ISO 13616: letters count from 10, the remainder by 97 is 1. */
function isIban(text: string): boolean {
  const compact = text.replaceAll(' ', '')
  const rotated = compact.slice(4) + compact.slice(0, 4)
  let remainder = 0
  for (const digit of rotated.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))) {
    remainder = (remainder * 10 + Number(digit)) % 97
  }
  return remainder === 1
}
