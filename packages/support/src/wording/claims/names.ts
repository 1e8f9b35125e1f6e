import { isJsonArray, isJsonObject } from 'echelon/internal/value'
import type { Json } from 'echelon/runtime'
import type { Known } from './evidence.ts'

/** Well-known carriers, recognized anywhere. */
const NAMED =
  /\b(?:ups|fed ?ex|dhl|usps|u\.s\. postal|royal mail|parcelforce|evri|hermes|dpd|gls|tnt|yodel|ontrac|lasership|purolator|canada post|australia post|aramex|sf express|correos|poste italiane|la poste|colissimo|chronopost|mondial relay|deutsche post|postnl|bpost|postnord|swiss post|japan post|yamato|sagawa|blue dart|delhivery|amazon|uber|doordash|deliveroo|lieferando|ninja van|j&t|cainiao|yun ?express|4px|seur|nacex|brt|inpost|packeta)\b/gi

/** A capitalized word that does not begin a sentence. */
const NAME = /(?<=[\p{Ll}\p{N},)]\s+["'(]?)\p{Lu}[\p{L}&]*(?![-\p{L}\p{N}])/gu
const GREETED = /^(?:hi|hello|hey|dear|thanks|thank you)\b/i
const NO_NAME: ReadonlySet<string> = new Set(
  `i i'm eta id usd ok am pm your order the status new good great thank thanks please sorry blue
  tracking delivered shipped estimated refund`.split(/\s+/),
)

/**
 * Names in a text that the data does not hold: carriers, which a carrier field must hold, and people and places,
 * which any field may hold.
 */
export function unknownNames(sentence: string, { result, things }: Known): readonly string[] {
  const data = [result, ...things.map(({ fields }) => fields)]
  const carriers = carriersIn(data).map(letters)
  const all = letters(JSON.stringify(data))
  const isKnown = (name: string): boolean =>
    MONTH.test(name) || NO_NAME.has(name.toLowerCase()) || all.includes(letters(name))
  const named = [...sentence.matchAll(NAMED)].map(([name]) => name)
  const others = GREETED.test(sentence) ? [] : [...sentence.matchAll(NAME)].map(([name]) => name)
  return [
    ...named.filter((name) => !carriers.some((one) => one.includes(letters(name)))),
    ...others.filter((name) => !isKnown(name)),
  ]
}

/** The beginning of the name of a month or a day. */
export const MONTH: RegExp =
  /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)/i
const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

const CARRIER = /carrier|courier|shipper|shipped_by|shipping_method|airline/i

function carriersIn(value: Json, key = '', depth = 0): readonly string[] {
  if (typeof value === 'string') return CARRIER.test(key) ? [value] : []
  if (depth > 12) return []
  if (isJsonArray(value)) return value.flatMap((one) => carriersIn(one, key, depth + 1))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, one]) => carriersIn(one, name, depth + 1))
}
