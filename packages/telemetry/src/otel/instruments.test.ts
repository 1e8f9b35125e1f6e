import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { instrumentsOf } from './instruments.ts'

test('[DD-27] creates the instruments once per meter, for any number of runs', () => {
  const provider = new MeterProvider()
  const first = instrumentsOf(provider.getMeter('echelon'))
  assert.equal(instrumentsOf(provider.getMeter('echelon')), first)
  assert.notEqual(instrumentsOf(new MeterProvider().getMeter('echelon')), first)
})
