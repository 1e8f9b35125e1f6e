import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { EchelonError } from '../../../core/value/error.ts'
import type { Schema } from '../../../core/schema/schema.ts'
import { outputFormat, repairRequest } from './output-format.ts'

const CITY = z.object({ city: z.string(), people: z.number(), mayor: z.string().optional() })
const refused = (says: RegExp) => (error: unknown) =>
  error instanceof EchelonError && error.code === 'INVALID_DEFINITION' && says.test(error.message)

describe('an object answer', () => {
  const format = outputFormat(CITY)

  test('is read whole, from a code block, or from the words around it', () => {
    const value = { city: 'Oslo', people: 7 }
    const json = JSON.stringify(value)
    for (const text of [
      json,
      ` ${json}\n`,
      `\`\`\`json\n${json}\n\`\`\``,
      `Here: ${json} Done.`,
      `{a} is ${json}`,
      `${json} I hope {that} helps`,
    ]) {
      assert.deepEqual(format.read(text), { ok: true, value })
    }
  })

  test('may contain null for an absent value', () => {
    const read = format.read('{"city":"Oslo","people":7,"mayor":null}')
    assert.deepEqual(read, { ok: true, value: { city: 'Oslo', people: 7 } })
  })

  test('names each problem by path', () => {
    const read = format.read('{"city":7,"people":"many"}')
    assert.ok(!read.ok)
    assert.match(read.message, /city: .*string.*; people: .*number/)
    for (const text of ['', 'no', '[1]', '"x"', '{"city":', '}{', '{a}']) {
      assert.deepEqual(format.read(text), { ok: false, message: 'it holds no JSON object' }, text)
    }
  })

  test('does not fit if a transform throws', () => {
    const throwing: Schema<unknown> = {
      '~standard': {
        ...CITY['~standard'],
        validate: () => {
          throw new Error('no such city')
        },
      },
    }
    assert.deepEqual(outputFormat(throwing).read('{}'), { ok: false, message: 'no such city' })
  })

  test('is read in linear time', () => {
    for (const text of [
      '{'.repeat(500_000),
      '[{'.repeat(250_000),
      `{"a":"${'\\'.repeat(500_000)}`,
    ]) {
      const before = process.threadCpuUsage()
      assert.equal(format.read(text).ok, false)
      // Quadratic time would take minutes.
      assert.ok(process.threadCpuUsage(before).user < 5_000_000)
    }
  })

  test('is requested again with the problem and the schema, within a length limit', () => {
    const request = repairRequest('x'.repeat(100_000), format)
    assert.ok(request.length < 3000, String(request.length))
    assert.ok(request.endsWith(JSON.stringify(format.wire)))
  })
})

describe('an output schema', () => {
  test('is compiled once', () => {
    let printed = 0
    const standard = CITY['~standard']
    const counted: Schema<unknown> = {
      '~standard': {
        ...standard,
        jsonSchema: {
          ...standard.jsonSchema,
          input: (options) => (printed++, standard.jsonSchema.input(options)),
        },
      },
    }
    assert.equal(outputFormat(counted), outputFormat(counted))
    assert.equal(printed, 1)
  })

  test('is rejected with what to write if it cannot be sent to a model', () => {
    assert.throws(() => outputFormat(z.array(z.string())), refused(/not a schema of an object/))
    assert.throws(
      () => outputFormat(z.object({ at: z.date() })),
      refused(/not a schema with a JSON/),
    )
  })

  test('is rejected when it is used if it is asynchronous', () => {
    const late = outputFormat(z.object({ a: z.string().refine(async () => false) }))
    assert.throws(() => late.read('{"a":"x"}'), refused(/asynchronous check/))
  })
})
