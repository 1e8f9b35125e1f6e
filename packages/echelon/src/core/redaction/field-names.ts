import { asSeen } from './look-alikes.ts'

/** Field names whose values are secrets. */
export const SECRET_FIELDS: readonly string[] = [
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
  'pw',
  'pass',
  'x_api_key',
  'auth_token',
  'bearer_token',
  'set_cookie',
  'access_token',
  'refresh_token',
  'client_secret',
  'access_key',
  'secret_key',
  'passphrase',
  'session_id',
  'pin',
  'cvv',
  'cvc',
]

/** Field names whose values are a person's names and places, which content rules can't recognize. */
const PERSON_FIELDS: readonly string[] = [
  'first_name',
  'last_name',
  'full_name',
  'middle_name',
  'given_name',
  'family_name',
  'surname',
  'maiden_name',
  'patient_name',
  'customer_name',
  'card_holder',
  'account_holder',
  'home_address',
  'postal_address',
  'street_address',
  'billing_address',
  'shipping_address',
  'delivery_address',
]

/** Field names whose values have a recognizable format, so content rules also find them in text. */
const FORMED_FIELDS: readonly string[] = [
  'email',
  'email_address',
  'phone',
  'phone_number',
  'mobile_number',
  'telephone',
  'date_of_birth',
  'birth_date',
  'dob',
  'ssn',
  'social_security_number',
  'passport_number',
  'national_id',
  'tax_id',
  'driver_license',
  'iban',
  'account_number',
  'card_number',
  'credit_card',
  'ip_address',
]

export const PERSONAL_FIELDS: readonly string[] = [...PERSON_FIELDS, ...FORMED_FIELDS]

/** The treatment of a value by its field name. */
export type Fate =
  /** Always hidden. */
  | 'hide'
  /** Hidden unless it is a number, `true`, `false` or `null`: `cost_per_token` is an amount. */
  | 'hide-text'
  /** Never hidden. */
  | 'keep'
  /** Checked by the content rules. */
  | 'look'

export interface FieldRules {
  /** Decides for a field of an object, or for a quoted name followed by a colon. */
  readonly fateOf: (name: string) => Fate
  /**
   * Decides for the words before a colon or an equals sign in plain text: the value is one token (`secret`),
   * runs to the end of the phrase (`phrase`), or is not decided by the name (`none`).
   */
  readonly labelOf: (words: string) => 'secret' | 'phrase' | 'none'
}

export interface FieldPolicy {
  readonly deny: readonly string[]
  readonly allow: readonly string[]
  readonly content: boolean
}

/** Names are compared without case and separators, in any script. */
export function fieldRules({ deny, allow, content }: FieldPolicy): FieldRules {
  const denied = normalized(deny)
  const allowed = normalized(allow)
  return {
    fateOf(name) {
      const known = normalizeName(name)
      if (allowed.has(known)) return 'keep'
      if (denied.has(known)) return 'hide'
      return content && NAMES_A_SECRET.test(known) ? 'hide-text' : 'look'
    },
    labelOf(label) {
      const words = label.split(/[ .]+/).slice(-MOST_WORDS)
      const ends = words.map((_, index) => normalizeName(words.slice(index).join('')))
      if (/^(?:unexpected|illegal|next)token$/.test(ends.at(-2) ?? '')) return 'none'
      if (ends.some((end) => allowed.has(end))) return 'none'
      if (ends.some((end) => NAMES_A_SECRET.test(end))) return 'secret'
      return ends.some((end) => denied.has(end) && !FORMED.has(end)) ? 'phrase' : 'none'
    },
  }
}

const MOST_WORDS = 4

/** Matches any prefix: `db_password`, `githubToken`, `AWS_SECRET_ACCESS_KEY`. */
const NAMES_A_SECRET =
  /(?:passw(?:or)?d|passwort|kennwort|pwd|passphrase|passcode|secret|token|(?:api|access|secret|private|signing|encryption|master|account|shared|auth|service)key|credentials?|authorization|cookie|connectionstring|sessionid|sessid)$/

const normalizeName = (name: string): string =>
  asSeen(name.normalize('NFKC'))
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** A name without letters would otherwise match every other name without letters. */
const normalized = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.map(normalizeName).filter((name) => name !== ''))

/** In plain text, the values of these names have a recognizable format; `pass: 12` is a count. */
const FORMED = normalized([...FORMED_FIELDS, 'pin', 'cvv', 'cvc', 'pw', 'pass'])
