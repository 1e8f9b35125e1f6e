// Your own evaluation: questions with known answers, metrics with intervals, gates.
import { createDecider } from 'echelon'
import { loadConfig } from 'echelon/config'
import { checkGates, metricsOf, readDataset, runDataset } from 'echelon/evals'

const dataset = `[
  { "id": "sum-001", "input": "What is 12 + 30?", "gold_answer": "42", "expected_tools": ["calculator"] },
  { "id": "day-001", "input": "What date is 10 days after March 1, 2025?",
    "gold_answer": "Tuesday, March 11, 2025", "expected_tools": ["calendar"] },
  { "id": "opinion-001", "input": "Which colour is the best?", "expect": "refused" }
]`

const decider = await createDecider({ small: 'offline/small', big: 'offline/big' })
const cases = readDataset(dataset)
const mode = 'hrm_small_then_escalate'
const ran = await runDataset(cases, {
  mode,
  repeat: 1,
  concurrency: 2,
  clock: { now: () => performance.now() },
  decide: (input, options) => decider.runCase(input, options),
  onDone: ({ asked }, { success, seconds }) =>
    console.log(`${asked.id}: ${success ? 'right' : 'wrong'} in ${(seconds * 1000).toFixed(0)} ms`),
})
const metrics = metricsOf(ran, {
  created: new Date().toISOString(),
  dataset: { name: 'inline', sha256: '', cases: cases.length },
  models: decider.models,
  mode,
  repeat: 1,
  concurrency: 2,
  gold: 'given',
  machine: { cpu: '', cores: 1, node: process.versions.node },
})
const { value, low } = metrics.success_rate
console.log(`success ${value}, and with three cases no less than ${low?.toFixed(2)} is shown`)

// Three cases prove little. The thresholds come from config.yaml or the documented defaults.
const { gates } = await loadConfig()
for (const { passed, message } of checkGates(metrics, gates)) {
  console.log(`${passed ? '✓' : '✗'} ${message}`)
}
