import { seededRandom } from '../../packages/echelon/src/core/value/random.ts'

/** Something that no sink may show, in a realistic text. */
export interface Sample {
  readonly kind: string
  readonly text: string
  /** Strings that must not be found anywhere: the secret, and parts that would reveal it. */
  readonly needles: readonly string[]
}

/** A made-up secret with the parts that would reveal it. */
interface Secret {
  readonly kind: string
  readonly value: string
  readonly needles: readonly string[]
}

/**
 * Personal data and secrets of every kind in many contexts, determined by the seed. All of them are made
 * up: names of example.org, phone numbers reserved for films, addresses reserved for documents, prefixes
 * of test cards; check digits are correct.
 */
export function corpus(seed: number, size: number): readonly Sample[] {
  const dice = new Dice(seed)
  return Array.from({ length: size }, (_, index) => {
    // In rotation, so that every kind occurs in every context before one repeats.
    const isNamed = index % 3 === 2
    return isNamed ? namedSample(dice, index) : plainSample(dice, index)
  })
}

/** Seeded random numbers. */
export class Dice {
  readonly #random: () => number

  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }

  below(end: number): number {
    return Math.floor(this.#random() * end)
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new Error('there is nothing to pick from')
    return item
  }

  signs(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet[this.below(alphabet.length)]).join('')
  }

  digits(length: number): string {
    return this.signs('0123456789', length)
  }
}

const LOWER = 'abcdefghijkmnpqrstuvwxyz'
const MIXED = `${LOWER}ABCDEFGHJKLMNPQRSTUVWXYZ23456789`
const LETTERS = `${LOWER}ABCDEFGHJKLMNPQRSTUVWXYZ`
const UPPER = 'ABCDEFGHJKLMNPQRSTUVWXYZ234567'

// ---- recognizable by format ----

/** The parts of at least six characters between separators. */
const runsOf = (value: string): readonly string[] => value.match(/[A-Za-z0-9]{6,}/g) ?? []

const secret = (
  kind: string,
  value: string,
  needles: readonly string[] = [value, ...runsOf(value)],
): Secret => ({ kind, value, needles })

const MAKERS: readonly ((dice: Dice) => Secret)[] = [
  (dice) => {
    const mailbox = `${dice.signs(LOWER, 6)}${dice.pick(['.', '_', '+', "'", ''])}${dice.signs(LOWER, 5)}`
    const host = dice.pick(['example.org', 'mail.example.com', 'b\u00fccher.example'])
    return secret('email', `${mailbox}@${host}`, [`${mailbox}@`, mailbox.slice(0, 6)])
  },
  (dice) => {
    const value = phoneNumber(dice)
    const number = value.replace(/^[a-z ]+/, '')
    return secret('phone', value, [number, ...runsOf(number)])
  },
  (dice) => {
    const card = withLuhn(`${dice.pick(['411111', '424242', '555555', '601111'])}${dice.digits(9)}`)
    const groups = card.match(/.{4}/g) ?? []
    const value = groups.join(dice.pick(['', ' ', '-', '\u00a0']))
    return secret('card', value, [value, groups.slice(1, 3).join('')])
  },
  (dice) => {
    const value = withLuhn(`378282${dice.digits(8)}`)
    return secret('card', value)
  },
  (dice) => {
    const iban = withCheckDigits(...ibanParts(dice))
    const gap = dice.pick(['', ' '])
    const value = gap === '' ? iban : (iban.match(/.{1,4}/g) ?? []).join(gap)
    return secret('iban', value, [value, iban, value.slice(5, 14)])
  },
  (dice) => secret('ssn', dice.pick(['078-05-1120', '219-09-9999', '457-55-5462'])),
  (dice) => secret('ip', `${dice.pick(['203.0.113', '198.51.100'])}.${10 + dice.below(240)}`),
  (dice) => {
    const tail = `${dice.signs('123456789abcdef', 4)}:${dice.signs('123456789abcdef', 4)}`
    return secret('ip', `2001:db8:${dice.signs('123456789', 2)}::${tail}`, [tail])
  },
  (dice) => {
    const [header, payload] = [
      { alg: 'HS256' },
      { sub: dice.digits(8), name: dice.signs(LOWER, 9) },
    ]
    const parts = [header, payload].map((part) => base64url(JSON.stringify(part)))
    return secret('jwt', [...parts, dice.signs(MIXED, 43)].join('.'))
  },
  (dice) => {
    const value = apiKey(dice)
    return secret('key', value, runsOf(value.replace('hooks.slack.com/services', '')))
  },
  (dice) => {
    const lines = [dice.signs(MIXED, 64), dice.signs(MIXED, 64), dice.signs(MIXED, 20)]
    const name = dice.pick(['RSA PRIVATE KEY', 'PRIVATE KEY', 'OPENSSH PRIVATE KEY'])
    return secret('private-key', pem(name, lines), lines)
  },
  (dice) => {
    const password = dice.signs(MIXED, 9)
    const scheme = dice.pick(['https', 'postgres', 'mongodb+srv', 'redis', 'amqp'])
    const user = dice.pick(['app', '', dice.signs(LOWER, 7)])
    return secret('url', `${scheme}://${user}:${password}@db.example.org/main`, [password])
  },
  (dice) => {
    const password = `${dice.signs(MIXED, 6)}${dice.pick(['@', '/', '#', ':'])}${dice.signs(MIXED, 6)}`
    return secret('url', `postgres://app:${password}@db.example.org/main`, runsOf(password))
  },
  (dice) => {
    const token = dice.signs(MIXED, 30)
    return secret('authorization', `${dice.pick(['Bearer', 'bearer'])} ${token}`, [token])
  },
  (dice) => {
    const pair = base64(`${dice.signs(LOWER, 6)}:${dice.signs(MIXED, 9)}`)
    return secret('authorization', `Basic ${pair}`, [pair])
  },
  (dice) => {
    const key = `AKIA${dice.signs(UPPER, 16)}`
    const other = `${dice.signs(MIXED, 20)}/${dice.signs(MIXED, 19)}`
    return secret('key', `${key} ${other}`, [key, ...runsOf(other)])
  },
  (dice) => {
    const [day, year] = [10 + dice.below(18), 1940 + dice.below(60)]
    const [date, month] = dice.pick([
      [`${day} March ${year}`, 'March'],
      [`${year}-03-${day}`, '03'],
      [`March ${day}, ${year}`, 'March'],
      [`${day}.03.${year}`, '03'],
    ])
    const before = dice.pick(['born on ', 'DOB: ', 'date of birth is ', 'geboren am '])
    // Four digits occur in ids and times by chance; the name of a month does not.
    const parts = /\d/.test(month) ? [] : [`${month} ${day}`, `${day} ${month}`]
    return secret('birth-date', `${before}${date}`, [date, ...parts])
  },
  (dice) => {
    const number = `${dice.signs('CFGHJK', 1)}${dice.digits(8)}`
    const name = dice.pick(['passport number is', 'Passport No.', 'ID card:', 'driving licence'])
    return secret('id-number', `${name} ${number}`, [number, number.slice(1)])
  },
  (dice) => {
    const street = `${dice.pick(['Maple', 'Harbour', 'Old Mill'])} ${dice.pick(['Street', 'Rd.', 'Avenue'])}`
    const house = `${100 + dice.below(800)}`
    return secret('address', `${house} ${street}, Springfield, IL 62704`, [
      `${house} ${street}`,
      street,
    ])
  },
  (dice) => {
    const street = dice.pick(['Lindenstra\u00dfe', 'Gartenweg', 'Hauptstr.', 'Rathausplatz'])
    const house = `${10 + dice.below(80)}`
    return secret('address', `${street} ${house}, 10115 Musterstadt`, [`${street} ${house}`])
  },
]

/** From the ranges reserved for films and examples. */
function phoneNumber(dice: Dice): string {
  const [two, three] = [dice.digits(2), dice.digits(3)]
  return dice.pick([
    `+1 415 555 01${two}`,
    `+1-212-555-01${two}`,
    `(415) 555-01${two}`,
    `415-555-01${two}`,
    `020 7946 0${three}`,
    `07700 900${three}`,
    `07700900${three}`,
    `+44 7700 900${three}`,
    `0044 20 7946 0${three}`,
    `01632 960${three}`,
    `030 23125 ${three}`,
    `030/23125${three}`,
    `0171 39200${two}`,
    `0171 392 00 ${two}`,
    `0171-39200${two}`,
    `+49 (0)30 23125${three}`,
    `+49 171 39200${two}`,
    `+4917139200${two}`,
    `06 39 98 1${dice.digits(1)} ${two}`,
    `06.39.98.1${dice.digits(1)}.${two}`,
    `0491 570 1${two}`,
    `(02) 5550 1${three}`,
    `phone number is 415 555 01${two}`,
    `call me at 555 01${two} 77`,
  ])
}

/** In the format of each issuer's keys. */
function apiKey(dice: Dice): string {
  return dice.pick([
    `sk-proj-${dice.signs(MIXED, 40)}`,
    `sk-ant-api03-${dice.signs(MIXED, 40)}`,
    `sk-or-v1-${dice.signs('0123456789abcdef', 40)}`,
    `sk-${dice.signs(LETTERS, 32)}`,
    `sk_live_${dice.signs(MIXED, 24)}`,
    `rk_test_${dice.signs(LETTERS, 24)}`,
    `whsec_${dice.signs(MIXED, 32)}`,
    `xoxb-${dice.digits(11)}-${dice.signs(LETTERS, 24)}`,
    `ghp_${dice.signs(LETTERS, 36)}`,
    `github_pat_${dice.signs(MIXED, 22)}_${dice.signs(MIXED, 40)}`,
    `glpat-${dice.signs(MIXED, 12)}7${dice.signs(MIXED, 8)}`,
    `AKIA${dice.signs(UPPER, 16)}`,
    `AIza${dice.signs(LETTERS, 35)}`,
    `ya29.${dice.signs(MIXED, 40)}`,
    `GOCSPX-${dice.signs(MIXED, 28)}`,
    `hf_${dice.signs(LETTERS, 34)}`,
    `npm_${dice.signs(MIXED, 36)}`,
    `SG.${dice.signs(MIXED, 22)}.${dice.signs(MIXED, 43)}`,
    `gsk_${dice.signs(MIXED, 40)}`,
    `https://hooks.slack.com/services/T${dice.signs(UPPER, 8)}/B${dice.signs(UPPER, 8)}/${dice.signs(MIXED, 24)}`,
    `$2b$10$${dice.signs(MIXED, 53)}`,
  ])
}

function ibanParts(dice: Dice): readonly [country: string, account: string] {
  return dice.pick([
    ['DE', `00000000${dice.digits(10)}`],
    ['GB', `TEST000000${dice.digits(8)}`],
    ['FR', `0000000000${dice.signs('0123456789ABC', 11)}${dice.digits(2)}`],
    ['NO', `0000${dice.digits(7)}`],
  ] as const)
}

/** Letters count from 10; the remainder modulo 97 is 1. */
function withCheckDigits(country: string, account: string): string {
  const digits = Array.from(`${account}${country}00`, (sign) => Number.parseInt(sign, 36)).join('')
  const check = 98n - (BigInt(digits) % 97n)
  return `${country}${String(check).padStart(2, '0')}${account}`
}

function withLuhn(body: string): string {
  const sum = Array.from(body)
    .toReversed()
    .reduce((total, digit, index) => {
      const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1)
      return total + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
  return `${body}${(10 - (sum % 10)) % 10}`
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const base64url = (text: string): string => Buffer.from(text).toString('base64url')

const pem = (name: string, lines: readonly string[]): string =>
  [`-----BEGIN ${name}-----`, ...lines, `-----END ${name}-----`].join('\n')

/** Contexts of a text. */
const CONTEXTS: readonly ((value: string) => string)[] = [
  (value) => `What is 15 * 23, and is ${value} right?`,
  (value) => value,
  (value) => `see (${value}).`,
  (value) => `"${value}"`,
  (value) => JSON.stringify({ rows: 3, note: value, close: 188.59 }),
  (value) => JSON.stringify({ body: JSON.stringify({ note: value, n: 1 }) }),
  (value) => JSON.stringify(`first line\n${value}\nlast line`),
  (value) => `https://example.org/find?q=${encodeURIComponent(value)}&page=2`,
  (value) => `GET /find HTTP/1.1\nX-Note: ${value}\nAccept: */*`,
  (value) => `Error: cannot reach ${value}\n    at send (/srv/app/mail.ts:12:5)\n    at run`,
  (value) => `calculator({"expr":"1 + 1","comment":"${value.replaceAll('\n', String.raw`\n`)}"})`,
  (value) => `id;note;amount\n7;${value};9.50`,
  (value) => `<td class="note">${value}</td>`,
  (value) => `2025-09-08T12:34:56.789Z WARN note=${value} retries=2`,
  (value) => `- one\n- ${value}\n- three`,
]

const plainSample = (dice: Dice, index: number): Sample => {
  const make = MAKERS[index % MAKERS.length]
  const context = CONTEXTS[dice.below(CONTEXTS.length)]
  if (make === undefined || context === undefined) throw new Error('there is no such kind')
  const { kind, value, needles } = make(dice)
  return { kind, text: context(value), needles: [...new Set(needles)] }
}

// ---- recognizable only by name ----

const NAMES = [
  'password',
  'DB_PASSWORD',
  'api_key',
  'apiKey',
  'OPENAI_API_KEY',
  'client_secret',
  'access_token',
  'refreshToken',
  'token',
  'aws_secret_access_key',
  'x-api-key',
  'private_key',
]

/** Secrets recognizable only by name: letters, digits, both, signs. */
const nameless = (dice: Dice): string =>
  dice.pick([
    dice.signs(LOWER, 9),
    dice.signs(MIXED, 12),
    dice.digits(10),
    `${dice.signs(LOWER, 7)}-${dice.signs(LOWER, 7)}`,
    `${dice.signs(MIXED, 9)}/${dice.signs(MIXED, 9)}+${dice.signs(MIXED, 9)}=`,
  ])

const NAMINGS: readonly ((name: string, value: string) => string)[] = [
  (name, value) => `${name}: ${value}`,
  (name, value) => `${name}=${value}`,
  (name, value) => `the call had ${name} = "${value}" in it`,
  (name, value) => JSON.stringify({ n: 1, [name]: value, ok: true }),
  (name, value) => JSON.stringify({ body: JSON.stringify({ [name]: value, n: 1 }) }),
  (name, value) => JSON.stringify({ n: 1, [name]: { nested: [value] } }),
  (name, value) => `{'${name}': '${value}', 'n': 1}`,
  (name, value) => `{:${name} => "${value}"}`,
  (name, value) => `<${name}>${value}</${name}>`,
  (name, value) => `https://example.org/v1?n=2&${name}=${encodeURIComponent(value)}&page=2`,
  (name, value) => `POST /v1 HTTP/1.1\r\n${name}: ${value}\r\nAccept: */*`,
  (name, value) => `export APP_${name}=${value}`,
  (name, value) => `Server=db.example.org;User Id=app;${name}=${value};Encrypt=true`,
  (name, value) => `401 from provider (${name}: '${value}')`,
  (name, value) => `{"${name}":"${value}`,
]

const HEADERS: readonly ((value: string) => string)[] = [
  (value) => `Authorization: Bearer ${value}`,
  (value) => `Authorization: ${value}`,
  (value) => `Cookie: sid=${value}; theme=dark`,
  (value) => `Set-Cookie: session=${value}; Path=/; HttpOnly`,
  (value) => `curl -H "Authorization: Token ${value}" https://example.org`,
  (value) => `curl -u app:${value} https://example.org`,
  (value) => `login --password ${value} --verbose`,
  (value) => `my password is ${value}`,
  (value) => JSON.stringify({ headers: { 'set-cookie': [`sid=${value}`] } }),
]

const PEOPLE: readonly ((name: string) => string)[] = [
  (name) => `First name: ${name}`,
  (name) => JSON.stringify({ full_name: `Ann ${name}`, age: 30 }),
  (name) => `{\\"last_name\\":\\"${name}\\",\\"age\\":30}`,
  (name) => `Billing address: 7 ${name} Yard, Springfield`,
]

function namedSample(dice: Dice, index: number): Sample {
  const turn = Math.floor(index / 3)
  if (turn % 5 === 3) {
    const value = dice.signs(LOWER, 5) + dice.digits(5)
    return { kind: 'header', text: dice.pick(HEADERS)(value), needles: [value] }
  }
  if (turn % 5 === 4) {
    const name = `Q${dice.signs(LOWER, 8)}`
    return { kind: 'person', text: dice.pick(PEOPLE)(name), needles: [name] }
  }
  const value = nameless(dice)
  const naming = NAMINGS[turn % NAMINGS.length]
  if (naming === undefined) throw new Error('there is no such naming')
  return {
    kind: 'named',
    text: naming(dice.pick(NAMES), value),
    needles: [value, ...runsOf(value)],
  }
}

/** Whether a text shows a sample: plain, escaped, or in a URL; blanks are ignored. */
export function shows(text: string, { needles }: Sample): boolean {
  const written = [text, decodeURIComponent(text.replaceAll(/%(?![\dA-Fa-f]{2})/g, '%25'))]
  const found = written.map(withoutBlanks)
  return needles.some((needle) => {
    const wanted = withoutBlanks(needle)
    const escaped = JSON.stringify(wanted).slice(1, -1)
    return found.some((one) => one.includes(wanted) || one.includes(escaped))
  })
}

const withoutBlanks = (text: string): string => text.replaceAll(/[\s\u00a0]/g, '')
