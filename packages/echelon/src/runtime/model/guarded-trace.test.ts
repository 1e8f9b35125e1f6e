import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunSpan } from '../../core/observability/tracing.ts'
import { guardedRun } from './guarded-trace.ts'

const broken = (): never => {
  throw new Error('broken')
}
const quietly = <Value>(tell: () => Value): Value | undefined => {
  try {
    return tell()
  } catch {
    return undefined
  }
}
const spanWith = (within: RunSpan['within']): RunSpan => ({
  traceparent: undefined,
  within,
  end: broken,
  fail: broken,
  model: broken,
  tool: broken,
  wait: broken,
  saw: broken,
  note: broken,
  told: broken,
})

test('[C-23] an error of the work within a span passes through, and the work runs once', () => {
  let times = 0
  const work = (): never => {
    times++
    throw new Error('of the work')
  }
  const span = guardedRun(
    spanWith((within) => within()),
    quietly,
  )
  assert.throws(() => span.within(work), /of the work/)
  assert.equal(times, 1)
})

test('[C-23] the work runs once if a span cannot be entered', () => {
  const span = guardedRun(spanWith(broken), quietly)
  assert.equal(
    span.within(() => 1),
    1,
  )
})

test('[C-23] a call that cannot be traced runs without tracing', () => {
  const span = guardedRun(spanWith(broken), quietly)
  assert.equal(span.wait('question'), undefined)
  assert.equal(span.note({ stage: 'act', data: {} }), undefined)
})
