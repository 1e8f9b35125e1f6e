import { isJson } from '../value/json.ts'
import { redactText } from '../redaction/redaction.ts'

/** The values that a setting accepts. */
export interface Kind<Value> {
  /** Completes the sentence "it must be …". */
  readonly words: string
  readonly fits: (value: unknown) => value is Value
  /** Parses a text, such as an environment variable; the result is unchecked. */
  readonly fromText: (text: string) => unknown
  /** Whether a wrong value may contain a secret and must not be repeated in a message. */
  readonly quiet?: true
}

/** A setting. Checks, defaults, the example file and variable names are derived from it. */
export interface Setting<Value = unknown> {
  readonly kind: Kind<Value>
  /** `undefined`: no value unless one is set. */
  readonly default: Value | undefined
  /** One line for a person, with the unit. */
  readonly meaning: string
  /** Whether the value is a secret, which is masked where it is shown. */
  readonly secret?: true
}

/** A setting that has a default. */
export const setting = <Value>(
  kind: Kind<Value>,
  value: NoInfer<Value>,
  meaning: string,
): Setting<Value> => ({ kind, default: value, meaning })

/** A setting for each key of each section of these values, no more and no fewer. */
export type SettingTable<Values> = {
  readonly [Section in keyof Values]: {
    readonly [Key in keyof Values[Section]]: Setting<Values[Section][Key]>
  }
}

/** A number without a fraction, within inclusive bounds. */
export const whole = (least?: number, most?: number): Kind<number> => ({
  words: `a whole number${range(least, most)}`,
  fits: (value): value is number => Number.isSafeInteger(value) && within(value, least, most),
  fromText: numberIn,
})

/** A finite number, within inclusive bounds. */
export const real = (least?: number, most?: number): Kind<number> => ({
  words: `a number${range(least, most)}`,
  fits: (value): value is number => Number.isFinite(value) && within(value, least, most),
  fromText: numberIn,
})

export const yesOrNo: Kind<boolean> = {
  words: 'true or false',
  fits: (value) => typeof value === 'boolean',
  fromText(text) {
    const word = text.toLowerCase()
    return word === 'true' || word === 'false' ? word === 'true' : text
  },
}

/** A text that is not blank, or that has a given format. */
export const text = (
  words = 'a text',
  isRight: (text: string) => boolean = said,
): Kind<string> => ({
  words,
  fits: (value): value is string => typeof value === 'string' && isRight(value),
  fromText: (text) => text,
})

/** One of a closed list of words. */
export const oneOf = <Word extends string>(words: readonly Word[]): Kind<Word> => ({
  words: words.join(' or '),
  fits: (value): value is Word => words.some((word) => word === value),
  fromText: (text) => text,
})

/** A list of texts, comma-separated where only text is possible. */
export const texts = (item: Kind<string> = text(), least = 0): Kind<readonly string[]> => ({
  words: `a list${least === 0 ? '' : ` of at least ${least}`}, each ${item.words}`,
  fits: (value): value is readonly string[] =>
    Array.isArray(value) && value.length >= least && value.every((one) => item.fits(one)),
  fromText: (text) =>
    text
      .split(',')
      .map((one) => one.trim())
      .filter(said),
})

/** The same or null, which is written `null` in text. */
export const orNull = <Value>(kind: Kind<Value>): Kind<Value | null> => ({
  ...kind,
  words: `${kind.words}, or null`,
  fits: (value): value is Value | null => value === null || kind.fits(value),
  fromText: (text) => (text === 'null' ? null : kind.fromText(text)),
})

/**
 * Describes the problem with a value in one sentence; `null` if it is valid.
 * @param name the name under which the value was given: a path or an environment variable
 */
export function problemWith(name: string, setting: Setting, value: unknown): string | null {
  const { kind, secret } = setting
  if (kind.fits(value)) return null
  if (secret === true || kind.quiet === true) return `${name} must be ${kind.words}`
  return `${name} is ${shown(value)}; it must be ${kind.words}`
}

const LONGEST = 80

function shown(value: unknown): string {
  // Not JSON, which turns NaN and infinities into null.
  if (typeof value === 'number') return String(value)
  // A key may have been pasted in any place.
  if (!isJson(value)) return typeof value
  const text = JSON.stringify(redactText(value))
  if (looksLikeKey(text)) return 'a text that may be a key'
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`
}

/**
 * Whether a text may contain a piece of a key: letters and digits in one long run. A broken file cuts
 * keys into pieces, which lack the known prefix.
 */
export const looksLikeKey = (text: string): boolean => /(?=[a-z]*\d)[a-z\d]{12,}/i.test(text)

const said = (text: string): boolean => text.trim() !== ''

const NUMERAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

const numberIn = (text: string): unknown => (NUMERAL.test(text) ? Number(text) : text)

const within = (value: unknown, least = -Infinity, most = Infinity): boolean =>
  typeof value === 'number' && value >= least && value <= most

function range(least?: number, most?: number): string {
  if (least === undefined) return most === undefined ? '' : ` of at most ${most}`
  return most === undefined ? ` of at least ${least}` : ` from ${least} to ${most}`
}
