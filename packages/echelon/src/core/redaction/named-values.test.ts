import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRedactor, DEFAULT_REDACTION, redactText } from './redaction.ts'

const SECRET = '[redacted:secret]'

/** Values that a name reveals, in the formats that texts use. */
const NAMED: readonly (readonly [text: string, left: string])[] = [
  // JSON, plain, escaped, escaped twice, and cut off
  ['{"token":"q8z","n":1}', `{"token":"${SECRET}","n":1}`],
  ['{ "githubToken" : "q\\"8z" }', `{ "githubToken" : "${SECRET}" }`],
  ['{\\"token\\":\\"q8z\\",\\"n\\":1}', `{\\"token\\":\\"${SECRET}\\",\\"n\\":1}`],
  ['{\\"token\\":\\"q\\\\\\"8z\\",\\"n\\":1}', `{\\"token\\":\\"${SECRET}\\",\\"n\\":1}`],
  ['\\\\\\"token\\\\\\":\\\\\\"q8z\\\\\\",', `\\\\\\"token\\\\\\":\\\\\\"${SECRET}\\\\\\",`],
  ['{"token":"q8z and no e', `{"token":"${SECRET}`],
  ['{"n":1,"password":1234}', `{"n":1,"password":"${SECRET}"}`],
  ['{"password":{"a":["x","}"],"b":"q8"},"n":1}', `{"password":"${SECRET}","n":1}`],
  ['{"password":["x"', `{"password":"${SECRET}"`],
  ['{"Authorization":["Bearer abc"]}', '{"Authorization":"[redacted:authorization]"}'],
  // other languages
  ["{'password': 'q8z', 'n': 1}", `{'password': '${SECRET}', 'n': 1}`],
  ['{:token => "q8z"}', `{:token => "${SECRET}"}`],
  ['config["password"] = "q8z"', `config["password"] = "${SECRET}"`],
  ['process.env.DB_PASSWORD = `q8z`', `process.env.DB_PASSWORD = \`${SECRET}\``],
  ['{Password:hunter2 Token:abcdef}', `{Password:${SECRET} Token:${SECRET}`],
  ['<api_key type="x">q8zx</api_key>', `<api_key type="x">${SECRET}</api_key>`],
  // headers
  ['Authorization: Bearer abc', 'Authorization: [redacted:authorization]'],
  [
    'Authorization: Digest username="M", realm="x"\nA: b',
    'Authorization: [redacted:authorization]\nA: b',
  ],
  ['curl -H "Authorization: Token abc" x', 'curl -H "Authorization: [redacted:authorization]" x'],
  ['Cookie: sid=q8z; theme=dark\nAccept: */*', `Cookie: ${SECRET}\nAccept: */*`],
  ['Set-Cookie: sid=q8z; Path=/; HttpOnly', `Set-Cookie: ${SECRET}`],
  ['X-Api-Key: abcdef\r\nAccept: */*', `X-Api-Key: ${SECRET}\r\nAccept: */*`],
  // assignments, queries, connection strings
  ['export OPENAI_API_KEY=abcdefgh', `export OPENAI_API_KEY=${SECRET}`],
  ['https://example.org/?token=abcd&n=2', `https://example.org/?token=${SECRET}&n=2`],
  ['https://example.org/#access_token=abcd&n=2', `https://example.org/#access_token=${SECRET}&n=2`],
  ['Server=db;Pwd=q8;z;Encrypt=true', `Server=db;Pwd=${SECRET};Encrypt=true`],
  ['AccountName=a;AccountKey=AbC+/==;Suffix=x', `AccountName=a;AccountKey=${SECRET};Suffix=x`],
  ['//registry.example.org/:_authToken=abcdef', `//registry.example.org/:_authToken=${SECRET}`],
  ['PASSWORD=ab,cd&ef', `PASSWORD=${SECRET}`],
  ['password: hunter2, user: ann', `password: ${SECRET}, user: ann`],
  ['API key: abcdef', `API key: ${SECRET}`],
  ['api_key=12345678', `api_key=${SECRET}`],
  // people and places
  ['First name: Ann Maria, age: 30', 'First name: [redacted], age: 30'],
  ["Full name: Ann O'Neill", 'Full name: [redacted]'],
  ['full_name: Smith, Ann\nage: 30', 'full_name: [redacted]\nage: 30'],
  ['Billing address: 7 Rose Yard, Springfield', 'Billing address: [redacted]'],
  ['{"last_name":"Smith","n":1}', '{"last_name":"[redacted]","n":1}'],
  ['First name: Ann Last name: Smith', 'First name: [redacted] Last name: [redacted]'],
]

const INNOCENT = [
  'Max tokens: 500',
  'token_count=12',
  '{"tokens": 12, "cost_per_token": 0.0001}',
  'cost per token: 0.0001',
  'token: 0.25 dollars each',
  'api key: missing',
  'password: required',
  'token: null, secret: undefined',
  'The token: expired.',
  'Unexpected token: identifier',
  'authorization: required',
  'cookie: chocolate chip',
  'invalid x-api-key',
  'FATAL: password authentication failed for user "ann"',
  'primary_key: 12345',
  'grant_type=password',
  'key: value',
  'name: calculator, expr: 15*23',
  'ratio 3:4, time 12:34, x=5, y == 6, f(x) => 2x',
  'password: [redacted:secret]',
  '{"token":"[redacted]"}',
  '{"token":""}',
]

test('[DD-11] [R19.2] the name of a secret hides its value in every notation', () => {
  for (const [text, left] of NAMED) {
    assert.equal(redactText(text), left)
    assert.equal(redactText(`so: ${text}`), `so: ${left}`)
  }
})

test('words, counts and prices after the name of a secret are kept', () => {
  for (const text of INNOCENT) assert.equal(redactText(text), text)
})

test('[DD-11] [R19.2] the lists of the policy also apply to JSON fields inside a text', () => {
  const redact = createRedactor({
    deny: ['patient', 'city'],
    allow: ['City', 'mail'],
    content: true,
  })
  const fields = { patient: { id: 7 }, city: 'Graz', mail: 'a@example.org', to: 'b@example.org' }
  const hidden = {
    patient: '[redacted]',
    city: 'Graz',
    mail: 'a@example.org',
    to: '[redacted:email]',
  }
  assert.deepEqual(redact(fields), hidden)
  assert.equal(redact(JSON.stringify(fields)), JSON.stringify(hidden))
  const twice = JSON.stringify({ body: JSON.stringify(fields) })
  assert.equal(redact(twice), JSON.stringify({ body: JSON.stringify(hidden) }))
  assert.equal(redact('Patient: Ann Smith; ward 7'), 'Patient: [redacted]; ward 7')
})

test('an allowed name does not hide its value as a label, but content rules still check the value', () => {
  const redact = createRedactor({ ...DEFAULT_REDACTION, allow: ['token'] })
  assert.equal(redact('token: abcdef'), 'token: abcdef')
  assert.equal(redact('token: a@example.org'), 'token: [redacted:email]')
  assert.equal(redact('{"token":"a@example.org"}'), '{"token":"a@example.org"}')
})

test('without content rules only quoted names hide values', () => {
  const redact = createRedactor({ ...DEFAULT_REDACTION, content: false })
  assert.equal(
    redact('{"password":"q8z","db_password":"q8z"} password: q8z'),
    `{"password":"${SECRET}","db_password":"q8z"} password: q8z`,
  )
})
