import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { writtenMetrics } from '../../../packages/echelon/src/evals.ts'
import { asked, evaluation, record } from '../../../packages/echelon/src/evals/trial.ts'
import { hostileCases } from './hostile-cases.ts'
import { folder } from './repository.ts'

/** The metrics of cases by category, each run of them right or not. */
const metrics = (...cases: readonly (readonly [string, boolean])[]): string =>
  writtenMetrics(
    evaluation(
      cases.map(([category, success], index) => ({
        asked: asked(`c-${index}`, { category, expect: 'refused' }),
        runs: [record({ success: true }), record({ success })],
        latencyRuns: [],
      })),
    ),
  )

test('[DD-15] fails on a hostile case that was not refused, and ignores other cases', async (t) => {
  const root = folder(t, {
    'good.json': metrics(['hostile', true], ['arithmetic', false]),
    'bad.json': metrics(['hostile', true], ['hostile', false], ['arithmetic', false]),
  })
  const good = await hostileCases(join(root, 'good.json')).look()
  assert.deepEqual([good.status, good.scanned], ['pass', { cases: 1 }])
  const bad = await hostileCases(join(root, 'bad.json')).look()
  assert.equal(bad.status, 'fail')
  assert.deepEqual(bad.findings, [
    { subject: 'case c-1', problem: 'was not refused; it ended with success' },
  ])
})

test('[DD-15] without an evaluation, or without hostile cases in it, the part is unavailable', async (t) => {
  const root = folder(t, { 'metrics.json': metrics(['arithmetic', true]) })
  for (const file of [undefined, join(root, 'metrics.json')]) {
    assert.equal((await hostileCases(file).look()).status, 'unavailable')
  }
})
