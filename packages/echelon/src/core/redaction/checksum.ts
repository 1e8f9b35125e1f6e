/** Luhn checksum (ISO/IEC 7812-1): keeps ordinary long numbers out of the card rule. */
export function isCardNumber(text: string): boolean {
  const digits = Array.from(text.replaceAll(/\D/g, ''), Number).toReversed()
  const sum = digits.reduce((total, digit, index) => {
    const doubled = index % 2 === 1 ? digit * 2 : digit
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0 && new Set(digits).size > 1
}

/** IBAN length by country (ISO 13616). */
const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 ' +
    'DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 ' +
    'IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 ' +
    'MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 ' +
    'SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

/** The IBAN at the start of a match, which may include words after it; groups of four are allowed. */
export function ibanIn(found: string): string {
  const length = IBAN_LENGTHS.get(found.slice(0, 2).toUpperCase())
  if (length === undefined) return ''
  let end = 0
  for (let signs = 0; signs < length; end++) {
    if (end === found.length) return ''
    if (/[a-z\d]/i.test(found.charAt(end))) signs++
  }
  const text = found.slice(0, end)
  return isIban(text) && !/^[a-z\d]/i.test(found.slice(end)) ? text : ''
}

/** Checks the IBAN check digits: letters count from 10, and the remainder modulo 97 is 1. */
function isIban(text: string): boolean {
  const compact = text.toUpperCase().replaceAll(/[^A-Z\d]/g, '')
  const rotated = compact.slice(4) + compact.slice(0, 4)
  let remainder = 0
  for (const digit of rotated.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))) {
    remainder = (remainder * 10 + Number(digit)) % 97
  }
  return remainder === 1
}
