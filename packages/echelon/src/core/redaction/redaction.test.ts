import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { promisify } from 'node:util'
import * as fc from 'fast-check'
import { share } from '../../../../../test/share.ts'
import { createRedactor, DEFAULT_REDACTION, REDACTED, redactText } from './redaction.ts'
import { seededIds, seededRandom } from '../value/random.ts'

const PEM = `-----BEGIN RSA PRIVATE KEY-----
MIIEowIBAAKCAQEAn3u7Z
-----END RSA PRIVATE KEY-----`
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P'

/** Split, so that secret scanners don't report these files. */
const inPieces = (...pieces: readonly string[]): string => pieces.join('')

/** Invented personal data and secrets by kind. */
const CORPUS: Readonly<Record<string, readonly string[]>> = {
  email: ['ann@example.com', 'a.b+tag@mail.example.co.uk', "o'neill_7@sub.example.org", 'A@B.CD'],
  phone: [
    '+1 415 555 2671',
    '+1-415-555-2671',
    '+49 30 12345678',
    '+44 (20) 7946 0958',
    '+436641234567',
    '(415) 555-2671',
    '415-555-2671',
    '415.555.2671',
  ],
  card: [
    '4111111111111111',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    '5500 0000 0000 0004',
    '2223003122003222',
    '378282246310005',
    '3782 822463 10005',
    '6011000990139424',
    '4222222222222',
  ],
  iban: [
    'GB82WEST12345698765432',
    'GB82 WEST 1234 5698 7654 32',
    'DE89 3704 0044 0532 0130 00',
    'BE68 5390 0754 7034',
    'NO9386011117947',
    'FR14 2004 1010 0505 0001 3M02 606',
  ],
  ssn: ['123-45-6789', '078-05-1120'],
  jwt: [JWT, `${JWT.split('.').slice(0, 2).join('.')}.`],
  secret: [
    'sk-proj-abcdEFGH1234ijklMNOP5678',
    'sk_live_51H8abcdefGHIJKLmnop',
    inPieces('ghp_', '16C7e42F292c6912E7710c838347Ae178B4a'),
    'github_pat_11ABCDEFG0abcdefghijkl_mnop',
    inPieces('glpat-', 'x1y2z3a4b5c6d7e8f9g0'),
    inPieces('xoxb-', '123456789012-abcdefGHIJKL'),
    'AKIAIOSFODNN7EXAMPLE',
    'AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY',
    'ya29.a0AfH6SMBx1234567890abcdef',
    'hf_abcdefGHIJKL1234567890mnop',
  ],
  'private-key': [PEM, PEM.replaceAll('RSA ', ''), PEM.replaceAll('RSA', 'EC'), PEM.slice(0, 50)],
}

/** Secrets that only their context reveals: the text, and the part that must be hidden. */
const IN_CONTEXT: readonly (readonly [text: string, secret: string])[] = [
  ['Authorization: Bearer dGhpcyBpcyBhIHRva2Vu', 'dGhpcyBpcyBhIHRva2Vu'],
  ['curl -H "authorization: bearer 0a1b2c3d4e5f"', '0a1b2c3d4e5f'],
  ['Basic dXNlcjpwYXNzd29yZA==', 'dXNlcjpwYXNzd29yZA'],
  ['Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
  [inPieces('https://ann:', 'hunter2@example.com/path'), 'hunter2'],
  [inPieces('postgres://app:', 'p%40ss@db.example.com:5432/main'), 'p%40ss'],
  ['redis://:hunter2@cache:6379', 'hunter2'],
  ['https://example.com/?api_key=abcd1234&n=2', 'abcd1234'],
  ['https://example.com/?n=2&access_token=zyx-987', 'zyx-987'],
  ['password: hunter2', 'hunter2'],
  ['{"password":"hunter2","n":1}', 'hunter2'],
  ["pwd = 'hunter2'", 'hunter2'],
  ['client_secret=wJalrXUtnFEMI', 'wJalrXUtnFEMI'],
  ['clientSecret: wJalrXUtnFEMI', 'wJalrXUtnFEMI'],
  ['export DB_PASSWORD=hunter2', 'hunter2'],
  ['AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG', 'wJalrXUtnFEMI'],
  ['refresh_token="1//0gabcdef"', '1//0gabcdef'],
  ['{\\"password\\":\\"hunter2\\",\\"n\\":1}', 'hunter2'],
  ['password=hunter\\2ab', '2ab'],
  // Text after a number must not keep it from being found.
  ['paid with 4111111111111111 12/27 123', '4111111111111111'],
  ['paid with 4111 1111 1111 1111 123', '4111 1111'],
  ['to BE68 5390 0754 7034 PAID', '5390 0754'],
  ['to DE89 3704 0044 0532 0130 00 2025', '3704 0044'],
  ['DE89370400440532013000,GB82WEST12345698765432', 'WEST'],
]

/** Parts of ordinary tasks that must reach the log unchanged. */
const HARMLESS: readonly string[] = [
  '1260',
  '3.14159',
  '2025-09-08',
  '15 * 23',
  '15 * 23 = 345',
  '2025-09-08T12:34:56.789Z',
  '2025-09-08T14:34:56+02:00',
  '2025-09-08 12:34:56',
  'from 2025-09-08 2025-09-09 2025-09-15 on',
  '03/04/2025',
  'Monday, September 8, 2025',
  '$1,234,567.89',
  '0.1 + 0.2',
  '1/3*3',
  '9^9^9',
  '192.168.0.1:8080',
  'http://127.0.0.1:11434/v1',
  'https://example.com/a/b?c=d#e',
  'v24.21.0',
  'openai/gpt-5-nano',
  'max_tokens: 4096, total tokens: 1234',
  'a basic multiplication, a bearer certificate, Basic Arithmetics',
  'pkg-config-version-24 hfoptions-of-channel-24 skeleton-key-number-12',
  'secretary: somebody, tokens: 12345678',
  '10 20 30 40 50 60 70 80 90',
  '7 14 21 28 35 42 49 56 63 70',
  'series 188.59, 187.44, 185.16',
  'the ratio 12345678901234567890 / 3',
  '@decorator, user@localhost, a @ b',
  '2013 2014 2015 2016, 2013 2014 2015 2017, 2013 2014 2015 2018',
  '20! = 2432902008176640000',
  '0.4242424242424242',
  'npm install zod@4.6.1 @ai-sdk/openai@3.0.12',
  'a rise of +250000',
  'Basic input/output, basic JavaScript',
  'AAPL closed at 188.59 on 2018-05-11',
]

test('[DD-11] [R19.2] [R19.3] personal data and secrets are hidden anywhere in a text', () => {
  for (const [kind, samples] of Object.entries(CORPUS)) {
    for (const sample of samples) {
      const gone = `[redacted:${kind}]`
      const isOpen = kind === 'private-key' && !sample.includes('END')
      assert.equal(redactText(sample), gone)
      assert.equal(redactText(`see ${sample}`), `see ${gone}`)
      if (isOpen) continue
      for (const [before, after] of [
        ['say "', '" now'],
        ['(', ')'],
        ['x,', ','],
        ['\n', '\n'],
        ['', '. Then'],
      ]) {
        assert.equal(redactText(`${before}${sample}${after}`), `${before}${gone}${after}`)
      }
      assert.equal(redactText(`${sample} and ${sample}`), `${gone} and ${gone}`)
    }
  }
})

test('[DD-11] [R19.2] secrets that only their context reveals are hidden', () => {
  for (const [text, secret] of IN_CONTEXT) {
    const left = redactText(text)
    assert.ok(!left.includes(secret), `${text} became ${left}`)
    assert.ok(left.includes('[redacted:'), left)
  }
})

test('[DD-11] a seeded corpus: texts of 40 pieces keep the harmless ones and none of the secrets', () => {
  const random = seededRandom(7)
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)]
    assert.ok(item !== undefined)
    return item
  }
  const secrets = Object.values(CORPUS)
    .flat()
    .filter((sample) => !sample.includes('BEGIN') || sample.includes('END'))
  for (let text = 0; text < 200; text++) {
    const kept: string[] = []
    const hidden: string[] = []
    const pieces = Array.from({ length: 40 }, () => {
      const isSecret = random() < 0.3
      const piece = pick(isSecret ? secrets : HARMLESS)
      const pile = isSecret ? hidden : kept
      pile.push(piece)
      return piece
    })
    const left = redactText(pieces.join('; '))
    for (const secret of hidden) assert.ok(!left.includes(secret), `${secret} is left in ${left}`)
    for (const harmless of kept)
      assert.ok(left.includes(harmless), `${harmless} is gone from ${left}`)
  }
})

test('numbers, dates, sums and ordinary words are kept', () => {
  for (const harmless of HARMLESS) assert.equal(redactText(harmless), harmless)
})

test('time stamps, UUIDs, hashes and prices are kept', () => {
  const random = seededRandom(11)
  const ids = seededIds(3)
  for (let i = 0; i < 5000; i++) {
    const at = Math.floor(1.6e12 + random() * 2e11)
    const hash = createHash('sha256').update(String(i)).digest('hex')
    const price = (random() * 1e4).toFixed(2)
    const day = new Date(at).toISOString()
    const text = `${at} ${day} ${ids.next()} ${randomUUID()} ${hash} ${price} ${day.slice(0, 10)} ${random()}`
    assert.equal(redactText(text), text)
  }
})

test('sums of ordinary numbers are kept', () => {
  const number = fc.oneof(
    fc.nat(9999),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  )
  const operator = fc.constantFrom(' + ', ' * ', '-', ' ', ', ', '/')
  fc.assert(
    fc.property(fc.array(fc.tuple(number, operator), { maxLength: 8 }), (terms) => {
      const text = terms.map(([value, sign]) => `${value}${sign}`).join('')
      if (/\d{3}-\d{2}-\d{4}|\d{3}-\d{3}-\d{4}|\+\d/.test(text)) return
      assert.equal(redactText(text), text)
    }),
    { numRuns: 2000, seed: 5 },
  )
})

test('a card number needs a correct checksum, an IBAN correct check digits', () => {
  for (const wrong of [
    '4111111111111112',
    '4111 1111 1111 1112',
    'DE89 3704 0044 0532 0130 01',
    '0000000000000000',
  ]) {
    assert.equal(redactText(wrong), wrong)
  }
})

test('redacting twice changes nothing more', () => {
  const texts = [...Object.values(CORPUS).flat(), ...IN_CONTEXT.map(([text]) => text), ...HARMLESS]
  for (const text of texts) {
    const once = redactText(text)
    assert.equal(redactText(once), once)
  }
})

test('[DD-11] [R19.2] fields of the deny list are hidden whole, in any spelling of their names', () => {
  const redact = createRedactor()
  const given = { apiKey: 'abc', 'API-KEY': { nested: 1 }, Set_Cookie: ['a'], password: 1234, n: 1 }
  assert.deepEqual(redact(given), {
    apiKey: REDACTED,
    'API-KEY': REDACTED,
    Set_Cookie: REDACTED,
    password: REDACTED,
    n: 1,
  })
  assert.deepEqual(redact([{ deep: [{ secret: 'x', ok: true }] }]), [
    { deep: [{ secret: REDACTED, ok: true }] },
  ])
})

test('[R19.2] the allow list overrides the deny list and the content rules', () => {
  const redact = createRedactor({
    deny: ['contact', 'city'],
    allow: ['Contact', 'mail'],
    content: true,
  })
  assert.deepEqual(
    redact({
      contact: 'ann@example.com',
      mail: 'b@example.com',
      city: 'Graz',
      note: 'c@example.com',
    }),
    {
      contact: 'ann@example.com',
      mail: 'b@example.com',
      city: REDACTED,
      note: '[redacted:email]',
    },
  )
})

test('content rules can be turned off, and a null policy hides nothing', () => {
  const value = { note: 'ann@example.com', plain: 'x', password: 'y' }
  assert.deepEqual(createRedactor({ ...DEFAULT_REDACTION, content: false })(value), {
    ...value,
    password: REDACTED,
  })
  assert.equal(createRedactor(null)(value), value)
})

test('[R19.2] values that the program lists are hidden anywhere', () => {
  const secrets = ['our-own-key-for-the-house', 'ollama']
  for (const content of [true, false]) {
    const redact = createRedactor({ deny: [], allow: [], content, secrets })
    assert.deepEqual(redact({ note: `no, "${secrets[0]}" is wrong`, model: 'ollama/llama' }), {
      note: 'no, "[redacted:secret]" is wrong',
      model: 'ollama/llama',
    })
  }
})

test('a redactor keeps values that are not text and does not change its argument', () => {
  const redact = createRedactor()
  const value = { a: [1, null, true, { b: 'ann@example.com' }], c: 1.5, __proto__: null }
  const before = structuredClone(value)
  assert.deepEqual(redact(value), { a: [1, null, true, { b: '[redacted:email]' }], c: 1.5 })
  assert.deepEqual(structuredClone(value), before)
  assert.equal(redact(5), 5)
  assert.equal(redact(undefined), undefined)
  const polluted: unknown = JSON.parse('{"__proto__": {"password": "x"}}')
  assert.equal(JSON.stringify(redact(polluted)), '{"__proto__":{"password":"[redacted]"}}')
})

/** Texts on which a careless pattern needs quadratic time. */
const TRAPS: Readonly<Record<string, string>> = {
  'jwt starts': 'eyJaaaaaaaa-',
  'jwt halves': 'eyJaaaaaaaa.eyJaaaaaaaa-',
  'key prefixes': 'sk-',
  'key prefixes with words': 'sk-abcdefghijklmnopqrst-',
  'pem starts': '-----BEGIN ',
  'pem letters': '-----BEGIN A',
  'pem heads': '-----BEGIN PRIVATE KEY',
  emails: 'a.b@',
  'email dots': 'a@b.c.',
  letters: 'a',
  digits: '1',
  'digit groups': '4111 ',
  'digit pairs': '4-',
  'iban starts': 'GB82 WEST ',
  capitals: 'GB82',
  phones: '+1 (415) ',
  pluses: '+1',
  schemes: 'http://a:',
  'scheme letters': 'a://',
  names: 'password: ',
  'name starts': 'api_key_',
  bearers: 'bearer ',
  blanks: ' ',
  quotes: `token"'`,
  colons: 'a:',
  assignments: 'a=b&',
  'quoted names': '"a":',
  'long names': `${'a'.repeat(70)}:`,
  'names of words': 'a b c d :',
  'tags without end': '<password',
  tags: '<password>',
  'escaped quotes': '\\"',
  backslashes: '\\',
  'open brackets': '{"token":[',
  'open strings': 'password="',
  phrases: 'full name: a, B ',
  cookies: 'cookie: a=b; ',
  schemes2: 'authorization: Digest a=b ',
  zeros: '0',
  'padded pairs': '01 ',
  'national numbers': '0171 ',
  'phone labels': 'phone number is ',
  dots: '1.',
  addresses: '1.1.1.',
  'addresses of six': '2001:',
  'short addresses of six': '2001::',
  percents: '%20',
  'percents in words': 'a%20b ',
  births: 'born on March ',
  accounts: 'account number: ',
  streets: '12 Main ',
  strassen: 'Haupt',
  hashes: '$2b$',
  options: ' --token ',
  sayings: 'secret is ',
}

/** Contains every hint, so that no rule is skipped. */
const SIGNS =
  'x@y, a//b ?c; eyJ $2b$ -----BEGIN AKIA 1:AA born 12345 a:b:c 1 St stra\u00dfe token basic -u user=1 <b> %20 '

// Runs in a process that is killed if it does not end. A quadratic pattern needs many seconds where a
// good one needs milliseconds. Measures this thread's processor time, to which other processes on a
// busy machine add nothing.
test('long hostile texts are redacted in linear time', async () => {
  const script = `
    const { redactText } = await import(${JSON.stringify(new URL('./redaction.ts', import.meta.url).href)})
    const [signs, pieces] = JSON.parse(process.argv[1])
    for (const piece of pieces) {
      const before = process.threadCpuUsage().user
      redactText(signs + piece.repeat(Math.ceil(1e5 / piece.length)))
      const ms = (process.threadCpuUsage().user - before) / 1000
      if (ms > 2000) console.log(JSON.stringify(piece) + ' takes ' + ms + ' ms')
    }
    console.log('done')`
  const args = [
    '--input-type=module',
    '--eval',
    script,
    JSON.stringify([SIGNS, share(Object.values(TRAPS), 12)]),
  ]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 180_000 })
  assert.equal(stdout, 'done\n')
})
