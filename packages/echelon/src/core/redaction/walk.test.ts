import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { createRedactor, REDACTED } from './redaction.ts'

const MAIL = 'ann@example.org'
const GONE = '[redacted:email]'
const redact = createRedactor()

/** Everything that JSON and the console show of a value. */
const shown = (value: unknown): string =>
  `${JSON.stringify(value)} ${inspect(value, { depth: 200, showHidden: true })}`

test('[R19.2] maps and sets are redacted, keys included', () => {
  const given = new Map<unknown, unknown>([
    [MAIL, 1],
    ['password', 'x'],
    [{ to: MAIL }, new Set([MAIL, 5])],
  ])
  assert.deepEqual(
    redact(given),
    new Map<unknown, unknown>([
      [GONE, 1],
      ['password', REDACTED],
      [{ to: GONE }, new Set([GONE, 5])],
    ]),
  )
})

test('[R19.2] an error shows its message, stack, cause and fields, redacted', () => {
  const cause = new Error(`no route to https://${['ann', 'hunter2'].join(':')}@example.org`)
  const error = Object.assign(new AggregateError([new Error(MAIL)], `to ${MAIL}`, { cause }), {
    request: { authorization: 'Bearer abc' },
  })
  const left: unknown = redact(error)
  assert.doesNotMatch(shown(left), /ann@|hunter2|Bearer abc/)
  assert.ok(typeof left === 'object' && left !== null)
  assert.partialDeepStrictEqual(left, {
    name: 'AggregateError',
    message: `to ${GONE}`,
    request: { authorization: REDACTED },
  })
  assert.match(shown(left), /no route to https:/)
})

test('[R19.2] a value with toJSON becomes its redacted result: dates, addresses, threads', () => {
  const at = new Date(0)
  assert.deepEqual(redact({ at, url: new URL(`https://x:y@example.org/?to=${MAIL}`) }), {
    at: '1970-01-01T00:00:00.000Z',
    url: `https://[redacted:credentials]@example.org/?to=${GONE}`,
  })
  class Letter {
    readonly #to = MAIL
    toJSON(): object {
      return { to: this.#to, token: 'x' }
    }
  }
  assert.deepEqual(redact(new Letter()), { to: GONE, token: REDACTED })
})

test('[R19.2] bytes, functions and boxed texts never pass unchanged', () => {
  const bytes = Buffer.from(MAIL)
  const given = {
    bytes,
    view: new DataView(new ArrayBuffer(3)),
    floats: new Float64Array(2),
    run: Object.assign(() => MAIL, { to: MAIL }),
    boxed: Object(MAIL),
    headers: new Headers({ authorization: 'Bearer abc' }),
  }
  assert.deepEqual(redact(given), {
    bytes: `[${bytes.length} bytes]`,
    view: '[3 bytes]',
    floats: '[16 bytes]',
    run: '[function]',
    boxed: GONE,
    headers: {},
  })
})

test('[R19.2] card numbers are recognized as numbers and as big integers', () => {
  const given = { card: [4111111111111111, 4111111111111111n], n: 4111111111111112, at: 1.7e12 }
  assert.deepEqual(redact(given), { card: [REDACTED, REDACTED], n: 4111111111111112, at: 1.7e12 })
})

test('a cycle ends, and a shared object stays shared', () => {
  const shared = { to: MAIL }
  const loop: Record<string, unknown> = { shared, again: shared }
  loop['self'] = loop
  loop['list'] = [loop, new Map([['up', loop]])]
  const left = redact(loop)
  assert.deepEqual(left, {
    shared: { to: GONE },
    again: { to: GONE },
    self: '[circular]',
    list: ['[circular]', new Map([['up', '[circular]']])],
  })
  assert.equal(left['shared'], left['again'])
})

test('sharing that would double at each level costs nothing', () => {
  let value: object = { to: MAIL }
  for (let level = 0; level < 90; level++) value = [value, value]
  let left: unknown = redact(value)
  while (Array.isArray(left)) left = left[1]
  assert.deepEqual(left, { to: GONE })
})

test('values nested deeper than any JSON of a run are cut off without an overflow', () => {
  let value: unknown = MAIL
  for (let level = 0; level < 100_000; level++) value = { down: value }
  const left = JSON.stringify(redact(value))
  assert.match(left, /\[too deep\]/)
  assert.doesNotMatch(left, /ann@/)
  const text = `${'{"token":['.repeat(50_000)}"${MAIL}"`
  assert.doesNotMatch(redact(text), /ann@/)
})

test('unreadable values are hidden and do not affect their neighbors', () => {
  const hostile = {
    get up(): never {
      throw new Error(MAIL)
    },
  }
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  const writing = {
    toJSON(): never {
      throw new Error(MAIL)
    },
  }
  assert.deepEqual(redact({ a: hostile, b: proxy, c: writing, d: MAIL }), {
    a: '[unreadable]',
    b: '[unreadable]',
    c: '[unreadable]',
    d: GONE,
  })
  const endless = { toJSON: (): object => ({ ...endless }) }
  assert.match(shown(redact(endless)), /\[too deep\]/)
})

test('[R19.2] field names are redacted too, and two that look alike afterwards stay separate', () => {
  assert.deepEqual(redact({ [MAIL]: 1, 'bob@example.org': 2, n: 3 }), {
    [GONE]: 1,
    [`${GONE} 2`]: 2,
    n: 3,
  })
})

test('[R19.2] fields that end like secrets are hidden, except amounts', () => {
  const given = {
    db_password: 'x',
    githubToken: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    credentials: { user: 'ann' },
    cost_per_token: 0.001,
    has_secret: true,
    next_token: null,
    tokens: ['a', 'b'],
    token_count: 'many',
  }
  assert.deepEqual(redact(given), {
    ...given,
    db_password: REDACTED,
    githubToken: REDACTED,
    AWS_SECRET_ACCESS_KEY: REDACTED,
    credentials: REDACTED,
  })
})

test('names are compared in any script; a name without letters matches no other', () => {
  const own = createRedactor({
    deny: ['\u540d\u524d', 'Stra\u00dfe', '---'],
    allow: [],
    content: true,
  })
  assert.deepEqual(
    own({ '\u540d\u524d': 'x', STRASSE: 'x', 'stra\u00dfe': 'x', '\u5730': 'y', _: 'z' }),
    {
      '\u540d\u524d': REDACTED,
      STRASSE: 'x',
      'stra\u00dfe': REDACTED,
      '\u5730': 'y',
      _: 'z',
    },
  )
  assert.deepEqual(redact({ '\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff44': 'x' }), {
    '\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff44': REDACTED,
  })
})
