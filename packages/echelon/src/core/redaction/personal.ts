import { ibanIn, isCardNumber } from './checksum.ts'
import { PHONE_RULES } from './phone.ts'
import type { RuleGroup } from './rule.ts'

/** A blank or a non-breaking blank. */
const BLANK = '[ \\u00a0\\u202f]'

/** Fewer characters than a mailbox may have, so that the text before it in a URL or list is not included. */
const EMAIL =
  /[\p{L}\p{N}_.!#$%*+^~-][\p{L}\p{N}_.!#$%*+^~'-]{0,63}(?:@|%40)[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63})*\.\p{L}[\p{L}\d-]{1,62}/giu

// ---- numbers with check digits ----

/** Unbroken or in groups of four. */
const IBAN = new RegExp(
  `\\b[A-Z]{2}\\d{2}(?:[A-Z\\d]{11,30}\\b|(?:(?:${BLANK}|-)[A-Z\\d]{4}){2,7}(?:(?:${BLANK}|-)[A-Z\\d]{1,3})?\\b)`,
  'gi',
)

/** In the lengths and groups that card schemes use, so that rows of numbers stay. */
const CARDS: readonly string[] = [
  '4\\d{12}(?:\\d{3}){0,2}',
  '(?:5[1-5]|2[2-7]|35|62|6[0357])\\d{14}|64[4-9]\\d{13}',
  '62\\d{15,17}|3[47]\\d{13}|3(?:0[0-5]|[68]\\d)\\d{11}',
  `(?:[46]\\d|5[1-5]|2[2-7]|35)\\d\\d(${BLANK}|[-.])\\d{4}\\1\\d{4}\\1\\d{4}`,
  `3[47]\\d\\d(${BLANK}|-)\\d{6}\\2\\d{5}`,
]
/** Not as part of a longer identifier of digits and letters. */
const CARD = new RegExp(`(?<![\\w.]|[\\da-f]{4}-)(?:${CARDS.join('|')})(?!\\w|\\.\\d)`, 'g')

// ---- numbers with a label ----

const NUMBER = '(?:[\\s_-]?(?:numbers?|nummer|numero|no|nr|id|code)\\b|\\s?#)'
const IS = '[.#]{0,2}(?:\\s{0,2}(?:is|was|ist|:|=|#))?\\s{0,3}'
/** Documents; a number may follow their names directly. */
const PAPER =
  '(?:passport|reisepass|(?:personal)?ausweis|identity card|id card|national id(?:entity)?|' +
  "driv(?:er'?s?|ing) licen[cs]e|f\u00fchrerschein|social security|national insurance|nhs|nino|" +
  'tax(?:payer)?[ -]id(?:entification)?|steuer-?id|itin|aadhaar|curp|cpf|dni|bsn|pesel|sort code)'
/** Words that also go with other numbers: an insurance of 12000 is an amount. */
const FILE =
  '(?:account|acct|konto|routing|medical record|patient|insurance|policy|customer|member)'
/** Groups that each contain a digit. */
const IDENTITY = new RegExp(
  `(?<=\\b(?:${PAPER}${NUMBER}?|${FILE}${NUMBER})${IS})(?:[A-Z]{1,3}[ -]?)?\\d[\\dA-Z]*(?:[ ./-][A-Z]{0,3}\\d[\\dA-Z]*){0,6}(?:[ -]?[A-Z]\\b)?`,
  'gi',
)
const IDENTITY_NAME = new RegExp(`${PAPER}|${FILE}`, 'i')
const LEAST_ID_DIGITS = 5

const MONTH = '\\p{L}{3,9}\\.?'
const DATE = [
  '\\d{4}[./-]\\d{1,2}[./-]\\d{1,2}',
  '\\d{1,2}[./-] ?\\d{1,2}[./-] ?\\d{2,4}',
  `\\d{1,2}(?:st|nd|rd|th|\\.)?,? (?:of )?${MONTH},? \\d{4}`,
  `${MONTH} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}`,
].join('|')
const BIRTH =
  '(?:born|date of birth|birth ?(?:date|day)|d\\.?o\\.?b\\.?|geboren|geburtsdatum|geburtstag)'
/** Only complete dates with a birth label: other dates are what calculations use. */
const BIRTH_DATE = new RegExp(
  `(?<=\\b${BIRTH}(?: in \\p{L}{2,30})?(?:\\s{1,2}(?:on|is|was|am|ist|war|the)){0,2}\\s{0,2}[:=]?\\s{0,3})(?:${DATE})(?!\\d)`,
  'giu',
)

// ---- addresses ----

const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)'
/** Not after the word "version" or a product name: `Chrome/120.0.60.99`. */
const IPV4 = new RegExp(
  `(?<![\\w.]|\\d-|\\b(?:ver\\.?|version|release)\\s{0,2}|(?:^|[\\s("])[a-z][\\w.-]{1,20}/)${OCTET}(?:\\.${OCTET}){3}(?!\\w|\\.\\d|-\\d)`,
  'gi',
)

/** Addresses that do not identify a person: loopback, private network, multicast, unspecified. */
const NOT_PUBLIC =
  /^(?:0|10|127|22[4-9]|2[34]\d|25[0-5])\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./

/** Four single digits are a version or a section number, and at most a public resolver. */
const publicAddressIn = (found: string): string =>
  NOT_PUBLIC.test(found) || /^\d\.\d\.\d\.\d$/.test(found) ? '' : found

/** Globally routed addresses start with 2 or 3. */
const IPV6 = /(?<![\w:.])[23][0-9a-f]{3}:(?:[0-9a-f]{0,4}:){1,6}[0-9a-f]{0,4}(?!\w|:\w)/gi

function completeAddress(found: string): string {
  const text = found.replace(/(?<!:):$/, '')
  return text.includes('::') || text.split(':').length === 8 ? text : ''
}

const STREET =
  '(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Way|Square|Sq|Terrace|Crescent|Close)'
const TOWN = "(?:, [A-Z][\\p{L} .'-]{0,29}\\p{L}(?:, [A-Z]{2})?(?: \\d{5}(?:-\\d{4})?)?)?"
/** House number first and the end of a phrase after it: "5 Wall Street banks" is not an address. */
const ADDRESS = new RegExp(
  `(?<![\\w.$])\\d{1,5}[A-Za-z]?(?: [A-Z][\\p{L}'.-]{1,24}){1,3} ${STREET}\\b\\.?(?=$|[\\n.,;:!?)\\]"'\\\\\\ufdd0]|\\s(?:in|and|is|apt|suite|unit|near)\\b)(?:,? (?:Apt|Suite|Unit|#)\\.? ?\\w{1,6})?${TOWN}`,
  'gu',
)
/** Street first, with or without postcode and town. */
const GERMAN_ADDRESS =
  /(?<!\p{L})\p{Lu}[\p{L}-]{3,30}(?:stra(?:\u00df|ss)e|str\.|weg|platz|gasse|allee) ?\d{1,4} ?[a-z]?(?![\p{L}\d]|[.,]\d)(?:, ?\d{5} \p{Lu}[\p{L}-]{1,30})?/gu

/** Rules for personal data, by its format and by the words before it. */
export const PERSONAL_RULES: readonly RuleGroup[] = [
  { sign: /@|%40/, rules: [{ kind: 'email', pattern: EMAIL }] },
  {
    sign: /born|birth|d\.?o\.?b|geboren|geburt/i,
    rules: [{ kind: 'birth-date', pattern: BIRTH_DATE }],
  },
  {
    sign: /(?:\d\D{0,5}){4}\d/,
    rules: [
      { kind: 'iban', pattern: IBAN, part: ibanIn },
      { kind: 'card', pattern: CARD, part: (found) => (isCardNumber(found) ? found : '') },
      { kind: 'ssn', pattern: /\b(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}\b/g },
      {
        kind: 'ssn',
        pattern:
          /(?<=\b(?:SSN|social security(?: number| no\.?)?)(?::| is| was)?\s{1,3})\d{3}[ -]?\d{2}[ -]?\d{4}\b/gi,
      },
      {
        kind: 'id-number',
        sign: IDENTITY_NAME,
        pattern: IDENTITY,
        part: (found) => (found.replaceAll(/\D/g, '').length < LEAST_ID_DIGITS ? '' : found),
      },
      { kind: 'ip', pattern: IPV4, part: publicAddressIn },
      ...PHONE_RULES,
    ],
  },
  {
    sign: /:[^:\s]{0,4}:/,
    rules: [{ kind: 'ip', pattern: IPV6, part: completeAddress }],
  },
  { sign: new RegExp(` ${STREET}\\b`), rules: [{ kind: 'address', pattern: ADDRESS }] },
  {
    sign: /stra(?:\u00df|ss)e|str\.|weg|platz|gasse|allee/,
    rules: [{ kind: 'address', pattern: GERMAN_ADDRESS }],
  },
]
