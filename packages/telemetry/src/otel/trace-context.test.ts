import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as api from '@opentelemetry/api'
import { readTraceContext, traceparentOf } from './trace-context.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'
const read = (traceparent: string, tracestate?: string) =>
  readTraceContext(api, { traceparent, tracestate })

describe('[DD-27] the headers of W3C Trace Context', () => {
  test('reads back what was written', () => {
    const header = `00-${TRACE}-${SPAN}-01`
    const span = read(header)
    assert.deepEqual(span, { traceId: TRACE, spanId: SPAN, traceFlags: 1, isRemote: true })
    assert.equal(span && traceparentOf(api, span), header)
    assert.equal(read(`00-${TRACE}-${SPAN}-00`)?.traceFlags, 0)
  })

  test('reads only the known flag, and only the known fields of later versions', () => {
    assert.equal(read(`00-${TRACE}-${SPAN}-ff`)?.traceFlags, 1)
    assert.equal(read(`00-${TRACE}-${SPAN}-fe`)?.traceFlags, 0)
    assert.equal(read(`cc-${TRACE}-${SPAN}-01-what-comes-later`)?.spanId, SPAN)
    assert.equal(read(`cc-${TRACE}-${SPAN}-01`)?.spanId, SPAN)
  })

  const INVALID = [
    '',
    'nonsense',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `cc-${TRACE}-${SPAN}-01more`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-1`,
    ` 00-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01\n`,
  ]
  for (const header of INVALID) {
    test(`${JSON.stringify(header)} is invalid`, () => assert.equal(read(header), undefined))
  }

  test('keeps the trace state, unless it exceeds the length that must be forwarded', () => {
    const header = `00-${TRACE}-${SPAN}-01`
    assert.equal(read(header, 'a=1,b=2')?.traceState?.get('b'), '2')
    assert.equal(read(header, `a=${'x'.repeat(600)}`)?.traceState, undefined)
  })

  test('an invalid span has no header', () => {
    assert.equal(traceparentOf(api, api.INVALID_SPAN_CONTEXT), undefined)
  })
})
