import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parsePolicies, RulePolicyEngine } from '@echelon/support'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import type { JsonObject } from '../../packages/echelon/src/core/value/json.ts'
import { flawsOf } from '../../packages/support/src/defaults/intents-check.ts'
import { tried } from './tried.ts'

const MOST_MS = 10_000

const file = (require: string, rules = 1): string =>
  [
    'tools: [act]',
    'rules:',
    ...Array.from({ length: rules }, (_, index) =>
      [`  - id: rule-${index}`, `    require: ${JSON.stringify(require)}`, '    because: no'].join(
        '\n',
      ),
    ),
  ].join('\n')

/** Nested loops around a body. */
const nested = (depth: number, list: string, body: string): string =>
  Array.from({ length: depth }).reduce<string>(
    (inner, _, at) => `${list}.all(x${at}, ${inner})`,
    body,
  )

const tens = (count: number): string =>
  `[${Array.from({ length: count }, (_, at) => at).join(', ')}]`

const doubled = (times: number, start: string, then: string): string =>
  Array.from({ length: times })
    .reduce<string>(
      (inner, _, at) =>
        `cel.bind(v${times - at}, v${times - at - 1} + v${times - at - 1}, ${inner})`,
      `v${times}${then}`,
    )
    .replace(/v0/g, start)

const ENDLESS: readonly (readonly [string, string])[] = [
  ...[5, 6, 9, 15].map(
    (depth) => [`${depth} loops over data`, nested(depth, 'order.items', 'true')] as const,
  ),
  ...['exists', 'exists_one', 'map'].map(
    (loop) =>
      [
        `5 times ${loop}`,
        `dyn(${nested(5, 'order.items', 'true').replaceAll('.all', `.${loop}`)}) == dyn(true)`,
      ] as const,
  ),
  ...[4, 8, 12].map(
    (depth) => [`${depth} loops over written lists`, nested(depth, tens(40), 'true')] as const,
  ),
  ['loops over keys', nested(6, 'order', 'true')],
  [
    'a loop in a condition of a loop',
    nested(3, `order.items.filter(y, ${nested(3, 'order.items', 'true')})`, 'true'),
  ],
  ['loops over characters', nested(3, 'order.notes.split("")', 'true')],
  ['a text that doubles', doubled(25, 'order.notes', '.contains("x")')],
  ['a list that doubles', doubled(25, 'order.items', '.all(x, true)')],
  [
    'lists of lists',
    `order.items.map(a, order.items).map(b, order.items.map(c, b)).all(d, d.all(e, e.all(f, f.all(g, true))))`,
  ],
  [
    'a loop under another name',
    `cel.bind(l, order.items.map(a, order.items), ${nested(5, 'l', 'true')})`,
  ],
]

/** Conditions as people write them. */
const PLAIN: readonly string[] = [
  'order.items.all(i, i.price > 0.0)',
  'order.items.exists(i, i.id == params.item)',
  'order.items.all(i, i.tags.exists(t, t in ["a", "b"]))',
  'order.items.filter(i, i.price > 1.0).all(i, order.items.exists(j, j.id == i.id && j.price == i.price))',
  'size(order.items.map(i, i.id)) <= 20 && order.notes.contains("gift")',
  'params.lines.all(l, order.items.exists(i, i.id == l.id && i.options.exists(o, o == l.option)))',
]

const item = (at: number): JsonObject => ({ id: `i${at}`, price: 5, tags: ['a'], options: ['o'] })

const orderOf = (items: number, notes = 'gift'): JsonObject => ({
  items: Array.from({ length: items }, (_, at) => item(at)),
  notes,
})

async function judged(source: string, order: JsonObject, params: JsonObject = {}) {
  const policy = new RulePolicyEngine(await parsePolicies(source, 'p.yaml'), {
    gather: async () => ({ order, customer: null }),
  })
  const call = { toolName: 'act', params }
  const plan = { intentId: 'x', steps: [call], reasoning: '' }
  const began = performance.now()
  const { allowed, rules } = await policy.validate(
    plan,
    { id: 'i', text: '', customerId: null, context: {} },
    [],
  )
  return { allowed, rules: rules ?? [], ms: performance.now() - began }
}

suite('policies that take forever', () => {
  test('a condition that could take too long is rejected when its file is read', (t) =>
    tried(t, {
      cases: ENDLESS,
      named: ([name]) => name,
      async hold([, source]) {
        const began = performance.now()
        await assert.rejects(parsePolicies(file(source), 'p.yaml'), (error) => {
          assert.ok(error instanceof EchelonError)
          assert.match(
            error.message,
            /^p\.yaml:\d+: rule rule-0: require: .*(?:steps.*fewer loops|nest|depth|limit|exceed)/i,
          )
          return true
        })
        assert.ok(performance.now() - began < MOST_MS)
      },
    }))

  test('a plain condition is evaluated on an order of the usual size', (t) =>
    tried(t, {
      cases: PLAIN,
      named: (source) => source,
      async hold(source) {
        const { allowed, rules } = await judged(file(source), orderOf(20), {
          item: 'i1',
          lines: [{ id: 'i1', option: 'o' }],
        })
        assert.ok(allowed, rules.join())
      },
    }))

  test('an accepted condition ends soon on data of any size, or is false', (t) =>
    tried(t, {
      cases: [
        ...PLAIN,
        nested(2, 'order.items', 'order.items.exists(z, z == x0)'),
        'order.items.exists(a, order.items.exists(b, a.nope))',
        'order.items.all(a, order.items.all(b, timestamp(a.id) > now))',
        'order.items == order.items && order == order',
        'order.notes + order.notes != order.notes',
        'order.notes.split("a").all(a, a == "")',
      ].flatMap((source) =>
        [
          orderOf(100),
          orderOf(210),
          orderOf(2_000),
          orderOf(50_000),
          orderOf(20, 'a'.repeat(5_000_000)),
          { items: deep(50_000), notes: '' },
        ].map((order) => [source, order] as const),
      ),
      named: ([source, order]) =>
        `${source} by ${JSON.stringify(order['notes']).length} characters`,
      async hold([source, order]) {
        const { ms } = await judged(file(source), order, { lines: [{ id: 'i1', option: 'o' }] })
        assert.ok(ms < MOST_MS, `${ms} ms`)
      },
    }))

  test('fifty rules together have the same limit as one', async () => {
    const heavy = 'order.items.all(a, order.items.all(b, a.price + b.price > 0.0))'
    const many = file(heavy, 50)
    const { allowed, ms } = await judged(many, orderOf(300))
    assert.equal(allowed, false)
    assert.ok(ms < MOST_MS, `${ms} ms`)
    const worst = await judged(file(heavy, 5), orderOf(300))
    assert.ok(worst.ms < MOST_MS, `${worst.ms} ms`)
  })

  test('an accepted intent pattern ends soon on any text', (t) =>
    tried(t, {
      cases: patterns(4_000),
      named: (pattern) => pattern,
      fast: 300,
      hold(pattern) {
        if (flawsOf(intentsWith(pattern)).length > 0) return
        const search = new RegExp(`(?<![\\p{L}])(?:${pattern})(?!\\p{L})`, 'giu')
        for (const text of ['a'.repeat(2_000), 'ab'.repeat(1_000), '1a'.repeat(1_000) + '!']) {
          const began = performance.now()
          void [...text.matchAll(search)]
          assert.ok(performance.now() - began < MOST_MS)
        }
      },
    }))

  test('backtracking patterns are rejected', (t) =>
    tried(t, {
      cases: [
        '(a+)+b',
        '(a|a)*b',
        '(\\w+\\s?)*x',
        '(?:a*)*b',
        'a*a*a*b',
        '(a?){50}a{50}',
        '(?=(a+)+b)a',
        '(?<=(a+)+b)a',
        '(.*)(.*)(.*)x',
        '(?i:(a+)+)b',
        '(?<n>a+)\\k<n>+b',
        '(a+)\\1+b',
        '([a-z]+)*\\d',
        '(?:(?:a+)+)+b',
        '[^](?:a+)+b',
      ],
      named: (pattern) => pattern,
      hold: (pattern) => assert.equal(flawsOf(intentsWith(pattern)).length, 1),
    }))
})

const deep = (depth: number): JsonObject => {
  let value: JsonObject = {}
  for (let at = 0; at < depth; at++) value = { value }
  return value
}

const intentsWith = (pattern: string): Parameters<typeof flawsOf>[0] => ({
  tiers: [],
  redaction: { params: [] },
  out_of_scope: [],
  intents: [
    {
      id: 'x',
      description: 'x',
      required_params: ['y'],
      optional_params: [],
      tool: 't',
      tools: [],
      confirm: false,
      constraints: { channels: [], rollout: 100, min_tier: null },
      params: { y: { pattern, form: 'as-said', values: {}, whole_answer: false } },
      wording: { post_by_status: {} },
      examples: [],
    },
  ],
})

/** Seeded patterns assembled from pieces. */
function patterns(count: number): readonly string[] {
  const pieces = ['a', 'b', '\\d', '[ab]', '\\p{L}', '.', '(?:a|b)', '(?:ab?)', '[a1]']
  const marks = ['', '', '?', '+', '*', '{1,30}', '{2}', '{0,9}', '{3,}']
  let seed = 7
  const next = (most: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed % most
  }
  const piece = (depth: number): string => {
    const inner =
      depth > 0 && next(3) === 0
        ? `(?:${sequence(depth - 1)})`
        : (pieces[next(pieces.length)] ?? '')
    return inner + (marks[next(marks.length)] ?? '')
  }
  const sequence = (depth: number): string =>
    Array.from({ length: 1 + next(3) }, () => piece(depth)).join(next(4) === 0 ? '|' : '')
  return Array.from({ length: count }, () => sequence(2))
}
