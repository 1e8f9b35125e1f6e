import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as fc from 'fast-check'
import type { Json } from '../../../core/value/json.ts'
import type { ToolOutcome } from '../../../core/tool/tool.ts'
import { bindReferences, lastNeeded, REFERENCE_PATTERN } from './references.ts'

const ok = (value: Json): ToolOutcome => ({ type: 'ok', value })

suite('a reference', () => {
  test('is replaced by the field it names, at any depth', () => {
    const results = [ok({ series: [1, 2] }), ok({ value: 'two', none: null })]
    const args = { a: '$1.series', b: ['$2.value', { c: '$2.none' }], d: 7, e: '$2.value or so' }
    assert.deepEqual(bindReferences(args, results), {
      ok: true,
      args: { a: [1, 2], b: ['two', { c: null }], d: 7, e: '$2.value or so' },
    })
  })

  test('that cannot be resolved is named', () => {
    const failed: ToolOutcome = { type: 'error', code: 'TOOL_ERROR', message: 'broken' }
    for (const [reference, results] of [
      ['$1.series', []],
      ['$2.series', [ok({ series: [] })]],
      ['$1.value', [ok({ series: [] })]],
      ['$1.series', [failed]],
      ['$1.length', [ok([1, 2])]],
      ['$1.toString', [ok({})]],
    ] as const) {
      assert.deepEqual(bindReferences({ a: { b: reference } }, results), {
        ok: false,
        message: `${reference} is not there: that action failed or has no such field`,
      })
    }
  })

  test('is not an amount of money, nor text that only contains a reference', () => {
    for (const text of ['$5.00', '$0.series', '$1.', '$1', '1.series', ' $1.series', '$1.a b']) {
      assert.equal(lastNeeded(text), 0, text)
      assert.deepEqual(bindReferences({ text }, []), { ok: true, args: { text } })
    }
  })

  test('gives the highest action number needed', () => {
    assert.equal(lastNeeded({ a: '$1.x', b: [['$3.y'], '$2.z'], c: 5, d: null }), 3)
    assert.equal(lastNeeded({}), 0)
  })

  test('leaves everything else as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        fc.pre(!text.includes('$'))
        const plain: Json = JSON.parse(text)
        assert.deepEqual(bindReferences(plain, []), { ok: true, args: plain })
      }),
    )
  })

  test('uses the same pattern that models are given', () => {
    assert.match('$2.ma7', new RegExp(REFERENCE_PATTERN))
    assert.doesNotMatch('$5.00', new RegExp(REFERENCE_PATTERN))
  })
})
