import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { askedOf, keyOf } from './request.ts'

const key = (headers: NonNullable<LanguageModelV4CallOptions['headers']>): string =>
  keyOf(
    askedOf(
      { model: 'a/b', stream: false, settings: {} },
      { prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }], headers },
      (value) => value,
    ),
  )

test('[C-34] finds a call again at any position in a trace', () => {
  const traced = { traceparent: '00-1-2-01', TraceState: 'a=1', 'x-team': 'one' }
  assert.equal(key(traced), key({ 'x-team': 'one' }))
  assert.notEqual(key(traced), key({ 'x-team': 'two' }))
})
