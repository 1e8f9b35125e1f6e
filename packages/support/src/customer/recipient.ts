const WORD = "\\p{Lu}[\\p{L}'’.-]*\\p{L}"
/** Two to four words in capital letters, which may have a particle between them. */
const FULL_NAME = `${WORD}(?: (?:(?:de|da|dos|van|von|der|la|al|el|bin|\\p{Lu}\\.) )?${WORD}){1,3}`

/** Capitalized words that aren't part of a name. */
const NO_NAME =
  /\b(?:usa|united states|america|thanks?|thank you|please|pls|best|kind|regards|cheers|yes|no|ok|okay|hi|hello|the|this|that|my|his|her|their|it|send|ship|order|street|st|avenue|ave|road|rd|apt|apartment|unit|suite|floor|zip|address|[A-Z]-\d+)\b/iu

/** What may stand between an address and the name of who gets it. */
const LEADS =
  '(?:(?:[Tt]he |[Hh]er |[Hh]is |[Mm]y |[Tt]heir )?[Nn]ame(?: is| on (?:it|the \\p{L}+) is)?|[Aa]ttn\\.?|[Aa]ttention|[Cc]/o|[Cc]are of|[Ff]or|[Tt]o|[Rr]ecipient(?: is)?|[Aa]ddressed to|[Ii]n the name of)'

const BEHIND = new RegExp(
  `^[\\s,;.?!(:-]+(?:${LEADS}[\\s:,]+)?(${FULL_NAME})(?=\\W*(?:$|[.!,;)]))`,
  'u',
)
const BEFORE = new RegExp(`(?:^|[\\s,.:;])(${FULL_NAME})[\\s,:;-]*$`, 'u')

const isName = (said: string, address: string): boolean =>
  !NO_NAME.test(said) && !address.toLowerCase().includes(said.toLowerCase())

/** The name of who gets it, behind an address or before it; `null` for none. */
export function recipientAround(before: string, address: string, behind: string): string | null {
  const said = [BEHIND.exec(behind)?.[1], BEFORE.exec(before)?.[1]]
  return said.find((name) => name !== undefined && isName(name, address)) ?? null
}

/** Longer texts tell more than a name. */
const MOST_CHARACTERS = 160

/** A wish for a name on the parcel. */
const WISHES_NAME =
  /\bnames?\b|\bc\/o\b|\bcare of\b|\battn\b|\battention\b|\baddress(?:ed)? (?:it |them )?to\b|\brecipients?\b|\b(?:put|write|print|have|want|need|says?|shows?|reads?|stands?)\b[^.!?]{0,50}\bon (?:it|them)\b|\bon the (?:parcel|package|box|label|envelope)\b/iu

const ANYWHERE = new RegExp(`(?<![\\p{L}\\d'-])(${FULL_NAME})(?![\\p{L}\\d-])`, 'gu')

/** Two or three words, and nothing else. */
const WORDS_ALONE = /^\W*(\p{L}[\p{L}'-]+(?: \p{L}[\p{L}'-]+){1,2})[\s.!]*$/u
const PLAIN =
  /\b(?:yes|yeah|yep|ok|okay|no|nope|not|sure|please|thanks?|you|go|do|it|that|fine|right|never|mind|leave|wait|cancel|send|what|who|why|my|the|her|his)\b/iu

/**
 * An address with the name that a text wants on the parcel: "it has to say Rosa Haddad on the box". `null` if it wants
 * none, or it is not clear which.
 *
 * @param asked the message before, to which a name alone is the answer
 */
export function withRecipient(address: string, text: string, asked: string): string | null {
  if (text.length > MOST_CHARACTERS) return null
  const [own = ''] = /^[^\d,]+(?=,)/u.exec(address) ?? []
  // It is on it already.
  if (own !== '' && WISHES_NAME.test(text) && text.includes(own)) return address
  const name = WISHES_NAME.test(text)
    ? (inCareOf(text) ?? onlyName(text, address))
    : WISHES_NAME.test(asked)
      ? nameAlone(text, address)
      : null
  if (name === null) return null
  // Who was to get it before is not meant any more.
  const plain = address.replace(/^[^\d,]*,\s*(?=\d)/u, '')
  return `${name}, ${plain}`
}

function onlyName(text: string, address: string): string | null {
  const names = new Set(
    [...text.matchAll(ANYWHERE)].map(([said]) => said.trim()).filter((one) => isName(one, address)),
  )
  const [name] = names
  return names.size === 1 && name !== undefined ? name : null
}

/** "C/o Miller", "attn. Rosa": a single word is a name behind such words alone. */
function inCareOf(text: string): string | null {
  const [, lead = '', name = ''] = IN_CARE.exec(text) ?? []
  if (name === '' || NO_NAME.test(name)) return null
  return /^(?:c\/o|care)/iu.test(lead) ? `c/o ${name}` : name
}

const IN_CARE = new RegExp(
  `(?<![\\p{L}])([Cc]/[Oo]|[Cc]are of|[Aa]ttn\\.?|[Aa]ttention(?: of)?)[:,]?\\s+(${WORD}(?: ${WORD}){0,3})`,
  'u',
)

function nameAlone(text: string, address: string): string | null {
  const [, said = ''] = WORDS_ALONE.exec(text) ?? []
  if (said === '' || PLAIN.test(said) || !isName(said, address)) return null
  return said.replaceAll(/(?<![\p{L}'])\p{Ll}/gu, (letter) => letter.toUpperCase())
}
