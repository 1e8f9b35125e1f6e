import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setting, type SettingTable, text, whole } from './setting.ts'
import {
  completed,
  type KnownSetting,
  listed,
  nested,
  readSettings,
  valuesOf,
} from './setting-tree.ts'

interface Values {
  readonly budget: { readonly max_seconds: number; readonly max_tokens: number }
  readonly act: { readonly max_steps: number }
}

const TABLE: SettingTable<Values> = {
  budget: {
    max_seconds: setting(whole(0), 60, 'seconds'),
    max_tokens: setting(whole(0), 100, 'tokens'),
  },
  act: { max_steps: setting(whole(0), 3, 'rounds') },
}

const KNOWN: readonly KnownSetting[] = [
  ...listed(TABLE),
  { path: 'tools.*.retries', kind: whole(0), default: undefined, meaning: 'tries' },
  { path: 'modes.mini.act.max_steps', kind: whole(0, 1), default: undefined, meaning: 'rounds' },
]

const problemsOf = (given: unknown): readonly string[] =>
  readSettings(KNOWN, given).problems.map(({ message }) => message)

suite('settings that are read', () => {
  test('have the place at which they were given', () => {
    const given = { budget: { max_seconds: 5 }, tools: { 'my.tool': { retries: 2 } }, act: null }
    const { values, problems } = readSettings(KNOWN, given)
    assert.deepEqual(problems, [])
    assert.deepEqual(
      values.map(({ at, value }) => [at, value]),
      [
        [['budget', 'max_seconds'], 5],
        [['tools', 'my.tool', 'retries'], 2],
      ],
    )
  })

  test('[R15.3] are rejected by name with the nearest setting, wherever it is', () => {
    assert.deepEqual(problemsOf({ budget: { max_second: 5 } }), [
      'budget.max_second is not a setting; did you mean max_seconds?',
    ])
    assert.deepEqual(problemsOf({ max_steps: 5 }), [
      'max_steps is not a setting; did you mean act.max_steps?',
    ])
    assert.deepEqual(problemsOf({ budgets: {} }), [
      'budgets is not a setting; did you mean budget?',
    ])
    assert.deepEqual(problemsOf({ tools: { plotter: { retry: 1 } } }), [
      'tools.plotter.retry is not a setting; did you mean retries?',
    ])
    assert.deepEqual(problemsOf({ act: { colour: 1 } }), [
      'act.colour is not a setting; act has max_steps',
    ])
    assert.deepEqual(problemsOf({ modes: { maxi: {} } }), [
      'modes.maxi is not a setting; modes has mini',
    ])
  })

  test('are all checked, even if others are invalid', () => {
    const given = { budget: { max_seconds: -1, max_tokens: 'x' }, act: 7, colour: 1 }
    assert.equal(problemsOf(given).length, 4)
  })

  test('[R15.3] are not repeated if the name may be a misplaced secret', () => {
    const known = [{ ...setting(text(), 'x', ''), path: 'p.*.key', secret: true as const }]
    const problemOf = (given: unknown): unknown => readSettings(known, given).problems[0]?.message
    assert.equal(
      problemOf({ p: { openai: { keys: 'x' } } }),
      'p.openai contains a name that is not a setting; did you mean key?',
    )
    const [slipped, long] = ['sk-0123456789abcdef0123456789', 'x'.repeat(50)]
    for (const name of [slipped, long, 'a "b" c']) {
      const problem = String(problemOf({ [name]: 1 }))
      assert.match(problem, /not a setting/)
      assert.ok(!problem.includes(name), problem)
    }
  })

  test('reject names that could be mistaken for something else', () => {
    for (const name of ['__proto__', '', ' ', '-', 'a b', 'constructor ']) {
      const given: unknown = JSON.parse(`{"tools":{${JSON.stringify(name)}:{"retries":1}}}`)
      assert.equal(problemsOf(given).length, 1, name)
    }
    const harmless: unknown = JSON.parse('{"tools":{"constructor":{"retries":1}}}')
    assert.deepEqual(problemsOf(harmless), [])
  })

  for (const given of [[], 'text', 7, true]) {
    test(`are no ${JSON.stringify(given)}`, () => {
      assert.deepEqual(problemsOf(given), [
        'the configuration must hold settings, each as key: value',
      ])
    })
  }
})

suite('complete settings', () => {
  test('use the last source that sets a value, or else the default', () => {
    const values = valuesOf(
      TABLE,
      { budget: { max_seconds: 1 }, act: { max_steps: 2 } },
      undefined,
      {
        budget: { max_seconds: 5 },
      },
    )
    assert.deepEqual(values, {
      budget: { max_seconds: 5, max_tokens: 100 },
      act: { max_steps: 2 },
    })
  })

  test('have a section for names that no source sets', () => {
    assert.deepEqual(completed(KNOWN), {
      budget: { max_seconds: 60, max_tokens: 100 },
      act: { max_steps: 3 },
      tools: {},
      modes: {},
    })
  })

  test('are rejected with the first problem, and list all', () => {
    assert.throws(() => completed(KNOWN, { act: 1 }, { budget: { max_seconds: '5' } }), {
      code: 'INVALID_CONFIG',
      message: 'act must hold settings, each as key: value (and 1 more)',
      details: {
        problems: [
          'act must hold settings, each as key: value',
          'budget.max_seconds is "5"; it must be a whole number of at least 0',
        ],
      },
    })
  })

  test('nest as deep as their places', () => {
    const values = [
      { at: ['a', 'b', 'c'], value: 1 },
      { at: ['a', 'd'], value: 2 },
      { at: ['e'], value: 3 },
    ]
    assert.deepEqual(nested(values), { a: { b: { c: 1 }, d: 2 }, e: 3 })
  })
})
