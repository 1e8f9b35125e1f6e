import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const steps = readFileSync(join(ROOT, '.ci/run'), 'utf8').replaceAll('\\\n', ' ').split('\n')

/** The only step whose command contains these words. */
function stepWith(words: string): string {
  const found = steps.filter((step) => /^(?:step|start|shown) /.test(step) && step.includes(words))
  assert.equal(found.length, 1, words)
  return found[0] ?? ''
}

test('[R26.1, R26.5, R16.3, DD-15] CI runs the gates, the comparison, the scan and coverage, and fails with them', () => {
  const evaluation = stepWith('eval datasets/decide.json --small')
  assert.match(evaluation, / --gates /)
  assert.match(evaluation, / --baseline datasets\/decide\.metrics\.json /)
  const asInProduction = stepWith('eval datasets/decide.json --without-gold')
  assert.match(asInProduction, / --gates /)
  assert.match(asInProduction, / --baseline datasets\/decide\.without-gold\.metrics\.json /)
  assert.match(stepWith('run --silent security'), / --metrics out\/metrics\.json$/)
  assert.match(stepWith('run --silent test:long'), / --seconds \d+$/)
  assert.match(stepWith('run --silent test:fleet'), / --files=\d+$/)
  stepWith('run --silent coverage')
  for (const step of [
    'json --small',
    'json --without-gold',
    'silent security',
    'silent coverage',
    'silent check',
  ]) {
    assert.doesNotMatch(stepWith(step), /\|\||; *true/)
  }
})

test('[R26.2, DD-15] CI collects its own output, and none of an earlier run', () => {
  assert.ok(steps.some((step) => /^rm -rf .*\bout$/.test(step)))
  for (const file of [
    'coverage/coverage.xml',
    'out/metrics.json',
    'out/without-gold/metrics.json',
    'out/cases/math-001/trace.jsonl',
    'out/security.json',
  ]) {
    assert.ok(steps.includes(`left ${file}`), file)
  }
  assert.ok(steps.includes('set -euo pipefail'))
  assert.ok(steps.some((step) => step.includes('failed+=("$1 is missing")')))
})
