import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { Ajv } from 'ajv'
import * as fc from 'fast-check'
import { type PlanReading, readPlan, shownActions } from './plan.ts'

const schemaFile = new URL('../plan.schema.json', import.meta.url)
const schema: unknown = JSON.parse(readFileSync(schemaFile, 'utf8'))
const fitsSchema = new Ajv({ strict: true }).compile(Object(schema))

// ---- possible model output ----

/** JSON without strings that look like references: a plan may not refer to later results. */
const json = fc
  .jsonValue({ maxDepth: 3 })
  .map((value): typeof value => JSON.parse(JSON.stringify(value).replaceAll('$', 'S')))
const args = fc.dictionary(fc.string({ maxLength: 8 }), json, { maxKeys: 3 })
const action = fc.record({ tool: fc.string(), args })
/** Actions with a missing, extra or replaced part. */
const nearly = fc.oneof(
  fc.record({ tool: fc.string(), args }, { requiredKeys: [] }),
  fc.record({ tool: json, args: json }),
  fc.record({ tool: fc.string(), args, why: json }),
  json,
)
const plan = fc.array(action, { minLength: 1, maxLength: 3 })
const anything = fc.oneof(
  plan,
  fc.array(fc.oneof({ weight: 3, arbitrary: action }, nearly), { maxLength: 5 }),
  json,
)
/** Text around the JSON, as models write it. */
const prose = fc.string().map((text) => text.replaceAll(/[[\]{}]/g, ''))

const isPlan = (reading: PlanReading): boolean => reading.type === 'plan'
const errorOf = (completion: string): string => {
  const reading = readPlan(completion)
  assert.equal(reading.type, 'invalid')
  return reading.type === 'invalid' ? reading.error : ''
}

suite('a plan', () => {
  test('[DD-3, R10.1, R18.1] is accepted exactly when it fits plan.schema.json', () => {
    fc.assert(
      fc.property(anything, (value) => {
        assert.equal(isPlan(readPlan(JSON.stringify(value))), fitsSchema(value))
      }),
      { numRuns: 2000 },
    )
  })

  test('[DD-3] is the last of several, since models draft before they answer', () => {
    const draft = '{"actions":[{"tool":"draft","args":{}}]}'
    const final = '{"actions":[{"tool":"final","args":{}}]}'
    const cannot = '{"cannot":"it is beyond me"}'
    const last = (completion: string): string => {
      const reading = readPlan(completion)
      if (reading.type === 'plan') return reading.actions.map(({ tool }) => tool).join()
      return reading.type === 'declined' ? reading.reason : reading.type
    }
    assert.equal(last(`First ${draft}, or better ${final}.`), 'final')
    assert.equal(last(`${cannot} No, wait: ${final}`), 'final')
    assert.equal(last(`${draft} No, wait: ${cannot}`), 'it is beyond me')
    assert.equal(last(`${final} I hope {"that":"helps"}`), 'final')
  })

  test('[DD-3] plan.schema.json matches the specification', () => {
    const { $schema: _, title: __, ...rest } = Object(schema)
    assert.deepEqual(rest, {
      type: 'array',
      minItems: 1,
      maxItems: 3,
      items: {
        type: 'object',
        required: ['tool', 'args'],
        properties: {
          tool: { type: 'string' },
          args: { type: 'object', additionalProperties: true },
        },
        additionalProperties: false,
      },
    })
  })

  test('[DD-4] is found within text, as an array or under actions', () => {
    fc.assert(
      fc.property(plan, prose, prose, (actions, before, after) => {
        const expected = readPlan(JSON.stringify(actions))
        assert.equal(expected.type, 'plan')
        for (const written of [actions, { actions }, { actions, cannot: null }]) {
          const found = readPlan(`${before}${JSON.stringify(written)}${after}`)
          assert.deepEqual(found, expected)
        }
      }),
    )
  })

  test('[DD-4] is found in a Markdown fence and after a word in brackets', () => {
    const one = '[{"tool":"calculator","args":{"expr":"1"}}]'
    for (const text of [
      `Sure!\n\`\`\`json\n${one}\n\`\`\`\nThat gives 1.`,
      `Here [as asked]: {"actions":${one}}`,
      `{plan} ${one}`,
    ]) {
      assert.deepEqual(readPlan(text), {
        type: 'plan',
        actions: [{ tool: 'calculator', args: { expr: '1' } }],
      })
    }
  })

  test('[R8.1, R8.2, R10.4] has one to three actions', () => {
    const of = (count: number): string =>
      JSON.stringify({ actions: Array.from({ length: count }, () => ({ tool: 't', args: {} })) })
    for (const count of [1, 2, 3]) assert.ok(isPlan(readPlan(of(count))))
    for (const count of [0, 4, 20]) {
      assert.equal(errorOf(of(count)), `a plan has 1 to 3 actions, not ${count}`)
    }
  })

  test('[R10.2, R18.2] that cannot be read gives a reason', () => {
    const rows: readonly [completion: string, error: string][] = [
      ['', 'there is no JSON in the answer'],
      ['The answer is 345.', 'there is no JSON in the answer'],
      ['[{"tool":"calculator","args":{', 'there is no JSON in the answer'],
      ['345', 'there is no JSON in the answer'],
      ['{"answer":345}', 'the answer is not an array of actions'],
      ['{"actions":{"tool":"calculator"}}', 'the answer is not an array of actions'],
      ['{"actions":null,"cannot":null}', 'the answer is not an array of actions'],
      ['["calculator"]', 'action 1 is not an object'],
      ['[{"args":{}}]', 'action 1 has no tool'],
      ['[{"tool":7,"args":{}}]', 'action 1 has no tool'],
      ['[{"tool":"t","args":{}},{"tool":"t"}]', 'action 2 has no args'],
      ['[{"tool":"t","args":[]}]', 'action 1 has no args'],
      ['[{"tool":"t","args":{},"id":1}]', 'action 1 has a property id that does not belong there'],
    ]
    for (const [completion, error] of rows) assert.equal(errorOf(completion), error)
  })

  test('drops null arguments, which stand for absent ones on the wire', () => {
    const reading = readPlan('[{"tool":"t","args":{"a":null,"b":[null],"c":{"d":null}}}]')
    assert.deepEqual(reading, {
      type: 'plan',
      actions: [{ tool: 't', args: { b: [null], c: { d: null } } }],
    })
  })

  test('[R10.1] may use earlier results only', () => {
    const uses = fc.record({ user: fc.nat(2), used: fc.integer({ min: 1, max: 9 }) })
    fc.assert(
      fc.property(uses, fc.boolean(), ({ user, used }, isDeep) => {
        const reference = `$${used}.series`
        const actions = [0, 1, 2].map((index) => ({
          tool: 't',
          args: index === user ? { x: isDeep ? [{ y: reference }] : reference } : {},
        }))
        const reading = readPlan(JSON.stringify(actions))
        assert.equal(isPlan(reading), used <= user)
        if (reading.type === 'invalid') {
          const error = `action ${user + 1} uses the result of action ${used}, which is not before it`
          assert.equal(reading.error, error)
        }
      }),
    )
  })
})

suite('a decline', () => {
  test('is an answer, regardless of the text around it', () => {
    for (const completion of [
      '{"cannot":"it is about the weather"}',
      '{"actions":null,"cannot":"it is about the weather"}',
      '{"actions":[],"cannot":"it is about the weather"}',
      'I am afraid {"cannot":"it is about the weather"} is all I can say.',
    ]) {
      assert.deepEqual(readPlan(completion), {
        type: 'declined',
        reason: 'it is about the weather',
      })
    }
  })

  test('yields to a plan, which can be verified', () => {
    assert.ok(isPlan(readPlan('{"actions":[{"tool":"t","args":{}}],"cannot":""}')))
  })
})

test('reading never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.ok(['plan', 'declined', 'invalid'].includes(readPlan(text).type))
    }),
  )
})

test('[DD-11] an action is shown with its number in the plan', () => {
  const reading = readPlan('[{"tool":"a","args":{"x":1}},{"tool":"b","args":{"y":"$1.z"}}]')
  assert.ok(reading.type === 'plan')
  assert.deepEqual(shownActions(reading.actions), [
    { kind: 'action', tool: 'a', args: { x: 1 }, metadata: { number: 1 } },
    { kind: 'action', tool: 'b', args: { y: '$1.z' }, metadata: { number: 2 } },
  ])
  // Models may not write the number, so they are not shown it.
  assert.deepEqual(Object.keys(reading.actions[0] ?? {}), ['tool', 'args'])
})
