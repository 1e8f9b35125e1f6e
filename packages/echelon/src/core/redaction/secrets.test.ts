import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactText } from './redaction.ts'

/** Keys without digits or capitals, recognizable only by the issuer's prefix. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyzabcdefghijkl'

const KEYS = [
  `sk-proj-${LETTERS}`,
  `sk-ant-api03-${LETTERS}`,
  `sk-or-v1-${LETTERS}`,
  `sk-${LETTERS}`,
  `sk_live_${LETTERS}`,
  `rk_test_${LETTERS}`,
  `whsec_${LETTERS}`,
  `xoxb-${LETTERS}`,
  `xapp-1-${LETTERS}`,
  `ghp_${LETTERS}`,
  `ghs_${LETTERS}`,
  `github_pat_${LETTERS}`,
  `glpat-${LETTERS.slice(0, 18)}7a`,
  'AKIAABCDEFGHIJKLMNOP',
  `AIza${LETTERS.slice(0, 35)}`,
  `ya29.${LETTERS}`,
  `GOCSPX-${LETTERS}`,
  `1//0${LETTERS}`,
  `hf_${LETTERS}`,
  `npm_${LETTERS}`,
  `pypi-${LETTERS}`,
  `SG.${LETTERS.slice(0, 22)}.${LETTERS}`,
  `shpat_${LETTERS}`,
  `dop_v1_${LETTERS}`,
  `gsk_${LETTERS}`,
  `xai-${LETTERS}`,
  `pplx-${LETTERS}`,
  `nvapi-${LETTERS}`,
  `hvs.${LETTERS}`,
  `123456789:AA${LETTERS.slice(0, 33)}`,
  `$2b$10$${LETTERS.slice(0, 30)}`,
]

/** The text, and the part that must be hidden. */
const TOLD: readonly (readonly [text: string, secret: string])[] = [
  ['mysql --password hunter2 shop', 'hunter2'],
  ['tool --api-key=abcd1234', 'abcd1234'],
  ['--db-password hunter2', 'hunter2'],
  ['--auth-token\tabcdef', 'abcdef'],
  ['--secret-key abcd', 'abcd'],
  ['--passphrase "open sesame"', 'sesame'],
  ["--password 'a b c'", 'b c'],
  ['["--token","abcdef"]', 'abcdef'],
  ['tool -p hunter22', 'hunter22'],
  ['mysql -u me -phushed shop', 'hushed'],
  ['sshpass -p hushed ssh', 'hushed'],
  ['redis-cli -a hushed', 'hushed'],
  ['\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff44\uff1ahunter2', 'hunter2'],
  ['password\uff1dhunter2', 'hunter2'],
  ['pass\u200bword: hunter2', 'hunter2'],
  ['pa\u00adssword=hunter2', 'hunter2'],
  ['password\u200b: hunter2', 'hunter2'],
  ['--pass\u2060word hunter2', 'hunter2'],
  ['hello\nto\u200dken: abcdefg', 'abcdefg'],
  ['p\u0430ssword: swordfish', 'swordfish'],
  ['my t\u03bfken=abcdefgh', 'abcdefgh'],
  ['{"p\u0430ssword":"swordfish"}', 'swordfish'],
  ['--password\u2254swordfish', 'swordfish'],
  ['tool --password \\\n  swordfish', 'swordfish'],
  ['AWS_SECRET_ACCESS_KEY wJalrXUtnFEMI7K', 'wJalr'],
  ['setx OPENAI_API_KEY "abcd1234efgh"', 'abcd1234'],
  ['my password is hunter2', 'hunter2'],
  ['the password for ann is hunter2.', 'hunter2'],
  ['database password is hunter2', 'hunter2'],
  ['DB_PASSWORD is hunter2', 'hunter2'],
  ['pwd is hunter2', 'hunter2'],
  ['the password of the main database is hunter2', 'hunter2'],
  ['the password was set to hunter2', 'hunter2'],
  ['connection failed with password hunter2', 'hunter2'],
  ['the password hunter2 was refused', 'hunter2'],
  ['the API key is abcdef', 'abcdef'],
  ['the client secret was swordfish.', 'swordfish'],
  ['Password is "two words"', 'two'],
  ['my passphrase is correct horse battery staple', 'horse'],
  ['das Passwort lautet geheim', 'geheim'],
  ["CREATE USER ann WITH PASSWORD 'q9z!' LOGIN", 'q9z'],
  ['machine example.org login ann password q9zz', 'q9zz'],
  ['the PIN is 1234', '1234'],
  ['PIN 483920', '483920'],
  ['CVV: 123', '123'],
  ['login --password hunter2 --verbose', 'hunter2'],
  ['run --token abcdefg', 'abcdefg'],
  ['curl -u ann:hunter2 https://example.org', 'hunter2'],
  ['Bearer abcdefghijklmnopqrstuvwxyz', 'ghijkl'],
  ['token abc-def-ghi-12345', 'def-ghi'],
  ['Incorrect API key provided: my-own-key-123', 'my-own'],
  ['https://example.org/?X-Amz-Signature=abcdef123456', 'abcdef'],
  [`https://hooks.slack.com/services/${['TABC', 'BDEF', 'abcdefgh'].join('/')}`, 'abcdefgh'],
  ['https://ann:hun/ter@example.org/x', 'ter@'],
  ['https://ann:hun@ter2@example.org/x', 'ter2'],
  ['https://abcdef@example.org/x', 'abcdef'],
  ['http:\\/\\/ann:hunter2@example.org', 'hunter2'],
  ['AKIAABCDEFGHIJKLMNOP abcdefghijklmnopqrst/vwxyzABCDEFGHIJKLMN', 'ghijkl'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3O', 'eyJzdWI'],
  ['eyJhbGciOiJIUzI1NiJ9abc', 'eyJhbG'],
]

const INNOCENT = [
  'The token is invalid',
  'the password is too short',
  'the password is stored hashed; his password is his own; Password is case sensitive',
  'the password is being reset',
  'the access token is rate limited; the API key is rejected',
  'password authentication failed, password policy, password manager',
  'The secret is to multiply first',
  'Secret Santa: 12 gifts, token ring, secret sauce',
  'https://example.org:8080/path/ann@home',
  'OPENAI_API_KEY environment variable, no AWS_SECRET_ACCESS_KEY configured',
  '\u043f\u0430\u0440\u043e\u043b\u044c \u0438 \u0441\u0443\u043c\u043c\u0430: 12',
  'git clone ssh://git@example.org/x.git'.replace('git@example.org', 'example.org'),
  'sk-learn and pk-config, hf_options, key-value store',
  'a basic multiplication, Basic Arithmetics, a bearer certificate',
  '?page=2&sort=key&code=AAPL',
  '$2 and $10 and $250',
]

test("[DD-11] [R19.2] keys are recognized by their issuers' prefixes, with or without digits", () => {
  for (const key of KEYS) {
    assert.equal(redactText(key), '[redacted:secret]')
    assert.equal(redactText(`"${key}", then`), '"[redacted:secret]", then', key)
    assert.equal(redactText(`\\n${key}\\n`), '\\n[redacted:secret]\\n', key)
  }
})

test('[DD-11] [R19.2] secrets in sentences, commands and addresses are hidden', () => {
  for (const [text, secret] of TOLD) {
    const left = redactText(text)
    assert.ok(!left.includes(secret), `${text} became ${left}`)
    assert.match(left, /\[redacted:/)
  }
})

test('words about secrets are kept', () => {
  for (const text of INNOCENT) assert.equal(redactText(text), text)
})

test('keeps options that do not name a secret, and wide letters that do not hide one', () => {
  for (const text of [
    'mkdir -p folder2/sub',
    'mkdir -p folder22',
    'ssh -p 2222 host',
    'git commit -p file',
    '--token-limit 500',
    '--password-file path',
    '--max-tokens 400',
    '\uff28\uff45\uff4c\uff4c\uff4f \ud83d\udc69\u200d\ud83d\udc67',
  ]) {
    assert.equal(redactText(text), text)
  }
})
