import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { startModelServer } from 'echelon/testing'
import {
  finish,
  folderFor,
  plainEnvironment,
  type Ran,
  runCommand,
  runWithSignal,
} from './testing/run-command.ts'

const MAIN = join(import.meta.dirname, 'main.js')

const MATH = {
  id: 'math-001',
  input: 'What is 15 * 23?',
  expected_tools: ['calculator'],
  gold_answer: '345',
}
const DATE = {
  id: 'calendar-001',
  input: 'What day of the week is September 8, 2025?',
  expected_tools: ['calendar'],
  gold_answer: 'Monday, September 8, 2025',
}
const STOCK = {
  id: 'stock-plot-001',
  input: 'Show me last 30 days closing price for AAPL and plot it with 7-day moving average',
  expected_tools: ['data_fetch_stock', 'numeric_analysis', 'plotter'],
  gold_answer: null,
}
const SHIRT = {
  id: 'word-001',
  input: 'A shirt costs $40 and is 25% off; what do three cost?',
  expected_tools: ['calculator'],
  gold_answer: '90',
}
const OPINION = { id: 'opinion-001', input: 'What is the capital of France?', expect: 'refused' }
const WRONG = { ...MATH, id: 'math-002', gold_answer: '346' }

/** Runs the command on a dataset in a new folder. */
async function evaluate(
  folder: string,
  cases: readonly object[],
  ...args: readonly string[]
): Promise<Ran & { readonly read: (file: string) => string }> {
  writeFileSync(join(folder, 'data.json'), JSON.stringify(cases))
  const ran = await runCommand(['eval', 'data.json', ...args], folder)
  return { ...ran, read: (file) => readFileSync(join(folder, file), 'utf8') }
}

test('[R26.2, R14.2, R16.2, DD-15] the documented cases pass the gates, and leave metrics and traces', async (t) => {
  const folder = folderFor(t)
  const cases = [MATH, DATE, STOCK, OPINION]
  const { status, stdout, stderr, read } = await evaluate(folder, cases, '--out', 'o', '--gates')
  assert.equal(status, 0, stdout + stderr)
  assert.match(stdout, /^4 cases of data\.json: offline\/small → offline\/big\n/)
  assert.match(stdout, /success +100\.0 %/)
  assert.match(stdout, /all gates pass/)
  assert.match(stderr, /6 of 6 runs/, 'four cases, and two easy ones for latency')
  const metrics = JSON.parse(read('o/metrics.json'))
  assert.deepEqual(
    [metrics.kind, metrics.stopped_by, metrics.success_rate.value, metrics.escalation_rate.value],
    ['metrics', null, 1, 0],
  )
  assert.equal(metrics.latency.easy_p95.n, 2)
  const usage = read('.echelon/usage.jsonl').trim().split('\n')
  assert.ok(usage.every((line) => JSON.parse(line).purpose === 'evaluation'))
  const lines = read('o/cases/math-001/trace.jsonl').trim().split('\n')
  const trace = lines.map((line) => JSON.parse(line))
  assert.deepEqual(
    trace.map(({ kind, step_type: step }) => step ?? kind),
    ['H_plan', 'L_exec', 'verify', 'act', 'result'],
  )
  assert.equal(trace.at(-1).success, true)
  assert.equal(
    JSON.parse(read('o/cases/math-001/trace-latency.jsonl').split('\n').at(-2) ?? '').mode,
    'fallback_only',
  )
  for (const path of ['o/metrics.json', 'o/cases/math-001/trace.jsonl']) {
    assert.equal(statSync(join(folder, path)).mode & 0o777, 0o600)
  }
})

test('[R16.3, DD-24] names a failed gate with value and threshold, and exits with 1', async (t) => {
  const { status, stdout } = await evaluate(folderFor(t), [MATH, WRONG], '--gates')
  assert.equal(status, 1)
  assert.match(stdout, /✗ FAIL {9}min_success_rate: success rate: 50 %, at least 95 % required/)
  assert.match(stdout, /wrong, or not verified: 1\n {2}math-002: answered 345; 346 is right/)
})

test('[R15.1, R26.3] takes thresholds from config.yaml, even unreachable ones', async (t) => {
  const folder = folderFor(t)
  writeFileSync(join(folder, 'config.yaml'), 'ci_gates:\n  min_success_rate: 1.01\n')
  const { status, stdout } = await evaluate(folder, [MATH], '--gates')
  assert.equal(status, 1)
  assert.match(stdout, /✗ FAIL {9}min_success_rate: success rate: 100 %, at least 101 % required/)
  assert.match(stdout, /1 of 6 gates fail/)
})

test('[R12.5] without --gates, a missed target is a warning', async (t) => {
  const { status, stderr } = await evaluate(folderFor(t), [MATH, WRONG])
  assert.equal(status, 0)
  assert.match(stderr, /warning: success rate: 50 %, at least 95 % required/)
})

test('[R26.5, DD-15] an earlier metrics.json is a gate', async (t) => {
  const folder = folderFor(t)
  await evaluate(folder, [MATH, SHIRT], '--out', 'before')
  const args = ['--gates', '--small', 'offline/small', '--baseline', 'before/metrics.json']
  const { status, stdout } = await evaluate(folder, [MATH, SHIRT], ...args)
  assert.equal(status, 1)
  assert.match(stdout, /max_success_drop: .* 50 %, at most 0 % allowed; newly wrong: word-001/)
})

test('repeats give pass^k, and a baseline a paired difference', async (t) => {
  const folder = folderFor(t)
  const before = await evaluate(folder, [MATH, DATE, SHIRT], '--out', 'before', '--repeat', '2')
  assert.match(before.stdout, /^pass\^2 +100\.0 %  95 % interval 43\.\d % to 100\.0 %$/m)
  // As a release without them wrote it.
  const { pass_power: powers, ...old } = JSON.parse(before.read('before/metrics.json'))
  assert.deepEqual(Object.keys(powers), ['1', '2'])
  writeFileSync(join(folder, 'old.json'), JSON.stringify(old))
  const args = ['--small', 'offline/small', '--baseline', 'old.json']
  const { stdout } = await evaluate(folder, [MATH, DATE, SHIRT], ...args)
  assert.match(stdout, /^against the baseline, on the 3 shared cases$/m)
  assert.match(
    stdout,
    /^success +−33\.3 %  95 % interval −\d+\.\d % to \+0\.0 %, so it could be chance$/m,
  )
  const { stdout: json } = await evaluate(folder, [MATH, DATE, SHIRT], ...args, '--json')
  const { comparison, gates } = JSON.parse(json)
  assert.deepEqual([comparison.cases, comparison.success.n], [3, 3])
  assert.ok(gates.every(({ verdict }: { verdict: string }) => /^[A-Z]+$/.test(verdict)))
})

test('each repeat has a trace, and its own place in the metrics', async (t) => {
  const folder = folderFor(t)
  const { stdout, read } = await evaluate(folder, [MATH], '--repeat', '3', '--json')
  const { metrics } = JSON.parse(stdout)
  assert.equal(metrics.cases[0].runs.length, 3)
  assert.ok(existsSync(join(folder, 'out/cases/math-001/trace-3.jsonl')))
  assert.equal(JSON.parse(read('out/metrics.json')).repeat, 3)
})

test('[R12.2] counts answers of a bigger model as escalated, and shows costs', async (t) => {
  const { status, stdout } = await evaluate(folderFor(t), [MATH, SHIRT], '--gates')
  assert.equal(status, 1)
  assert.match(
    stdout,
    /✗ INCONCLUSIVE max_escalation_rate: escalation rate: 50 %, at most 15 % allowed; about \d+ more cases would show it/,
  )
})

test('with --without-gold, only the verifier decides', async (t) => {
  const unproved = {
    ...MATH,
    id: 'math-003',
    input: 'Add up 19.99, 5.01 and 3.50',
    gold_answer: '28.5',
  }
  const { stdout, read } = await evaluate(folderFor(t), [MATH, unproved], '--without-gold')
  const metrics = JSON.parse(read('out/metrics.json'))
  assert.deepEqual([metrics.gold, metrics.wrong_accept_rate.value], ['withheld', 0])
  assert.match(stdout, /wrongly verified +0\.0 %/)
  assert.match(stdout, /\noutcome +runs +share +right +calls +tokens +cost +time\n/)
  assert.match(stdout, /\nnot checked +\d+ +\d/)
})

test('with a cost limit, an unknown price ends the evaluation with a message', async (t) => {
  const plan = JSON.stringify({
    actions: [{ tool: 'calculator', args: { expr: '15 * 23' } }],
    cannot: null,
  })
  await using server = await startModelServer([{ type: 'reply', text: [plan] }])
  const model = ['--small', 'openai-compatible/m', '--base-url', server.baseUrl]
  const limits = ['--stop-at-cost', '1', '--concurrency', '1']
  const ran = await evaluate(folderFor(t), [MATH, DATE], ...model, ...limits)
  assert.equal(ran.status, 1)
  assert.match(ran.stderr, /ended after 1 of 4 runs: the cost of a run is unknown/)
  server.assertComplete()
})

test('a wrong key ends the evaluation with one sentence, after the runs in progress', async (t) => {
  const refusal = { type: 'status', status: 401, message: 'wrong key' } as const
  const server = await startModelServer([refusal, refusal, refusal, refusal])
  t.after(() => server.close())
  const model = ['--small', 'openai-compatible/m', '--big', 'openai-compatible/n']
  const cases = Array.from({ length: 20 }, (_, index) => ({ ...MATH, id: `math-${100 + index}` }))
  const folder = folderFor(t)
  const options = ['--base-url', server.baseUrl, '--concurrency', '1']
  const { status, stdout, stderr } = await evaluate(folder, cases, ...model, ...options)
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(
    stderr,
    /the evaluation stopped, because .*: openai-compatible\/m and openai-compatible\/n: the key .*; set a/,
  )
  assert.equal(server.requests.length, 2, 'both models of the first case')
})

test('names an invalid case before any model call', async (t) => {
  const server = await startModelServer([])
  const model = ['--small', 'openai-compatible/m', '--base-url', server.baseUrl]
  for (const [bad, says] of [
    [{ expected_tools: ['abacus'] }, /case math-009: there is no tool abacus/],
    [{ today: '2025-02-30' }, /case math-009: /],
    [{ timezone: 'Mars/Base' }, /case math-009: /],
  ] as const) {
    const cases = [MATH, { ...MATH, id: 'math-009', ...bad }]
    const { status, stderr } = await evaluate(folderFor(t), cases, ...model)
    assert.equal(status, 2)
    assert.match(stderr, says)
  }
  server.assertComplete()
  await server.close()
})

test('removes results of an earlier evaluation', async (t) => {
  const folder = folderFor(t)
  await evaluate(folder, [MATH, DATE], '--repeat', '2')
  await evaluate(folder, [MATH])
  assert.ok(!existsSync(join(folder, 'out/cases/math-001/trace-2.jsonl')))
  assert.ok(!existsSync(join(folder, 'out/cases/calendar-001/trace.jsonl')))
})

test('an evaluation that cannot start keeps the earlier metrics', async (t) => {
  const folder = folderFor(t)
  const cases = [{ id: 'a', input: 'What is 15 * 23?', gold_answer: '345' }]
  writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases))
  await runCommand(['eval', 'cases.json'], folder)
  const before = readFileSync(join(folder, 'out/metrics.json'), 'utf8')
  const keyless = ['--small', 'openai/gpt-5-nano', '--big', 'openai/gpt-5']
  const { status, stderr } = await runCommand(['eval', 'cases.json', ...keyless], folder)
  assert.equal(status, 2)
  assert.match(stderr, /openai needs a key; set the environment variable OPENAI_API_KEY$/m)
  assert.equal(readFileSync(join(folder, 'out/metrics.json'), 'utf8'), before)
})

test('reports unwritable output in one sentence', async (t) => {
  const folder = folderFor(t)
  writeFileSync(join(folder, 'data.json'), JSON.stringify([MATH]))
  const env = { ...plainEnvironment() }
  const command = '"$0" --conditions=echelon-source "$1" eval data.json --json > /dev/full'
  const child = spawn('sh', ['-c', command, process.execPath, MAIN], { cwd: folder, env })
  const { status, stderr } = await finish(child)
  assert.equal(status, 2)
  assert.match(stderr, /echelon: the output cannot be written \(.*no space left/i)
  assert.doesNotMatch(stderr, /\n\s+at /)
})

const MISTAKES: readonly (readonly [string, readonly string[], RegExp])[] = [
  [
    'a missing data set',
    ['nowhere.json'],
    /the data set nowhere\.json cannot be read: there is no such file$/m,
  ],
  [
    'a missing file of conversations',
    ['nowhere.yaml'],
    /the conversations nowhere\.yaml cannot be read: there is no such file$/m,
  ],
  ['an invalid data set', ['notes.txt'], /the data set is not JSON/],
  ['an invalid baseline', ['data.json', '--baseline', 'data.json'], /not a metrics\.json of this/],
  ['no repeats', ['data.json', '--repeat', '0'], /must be a whole number/],
  [
    'an out folder that cannot be made',
    ['data.json', '--out', 'notes.txt'],
    /another place with --out/,
  ],
]

for (const [what, args, says] of MISTAKES) {
  test(`eval: ${what} is one line on stderr and exit status 2`, async (t) => {
    const folder = folderFor(t)
    writeFileSync(join(folder, 'data.json'), JSON.stringify([MATH]))
    writeFileSync(join(folder, 'notes.txt'), 'hello')
    const { status, stdout, stderr } = await runCommand(['eval', ...args], folder)
    assert.deepEqual([status, stdout], [2, ''])
    assert.match(stderr, says)
    assert.doesNotMatch(stderr, /\n\s+at /)
  })
}

test('Ctrl-C ends an evaluation with partial metrics', async (t: TestContext) => {
  await using server = await startModelServer([{ type: 'silence' }])
  const folder = folderFor(t)
  writeFileSync(join(folder, 'data.json'), JSON.stringify([MATH, DATE]))
  const model = ['--small', 'openai-compatible/slow', '--base-url', server.baseUrl]
  const args = ['eval', 'data.json', '--concurrency', '1', ...model]
  const when = (): boolean => server.requests.length > 0
  const { status } = await runWithSignal(args, folder, { signal: 'SIGINT', when })
  assert.equal(status, 1)
  const metrics = JSON.parse(readFileSync(join(folder, 'out/metrics.json'), 'utf8'))
  assert.deepEqual([metrics.stopped_by, metrics.cases.length], ['interrupt', 0])
})

const TALK = `today: 2025-10-18
customer: C-001
conversations:
  - id: status
    turns: [{ user: where is my t-shirt, says: [O-12345] }]
  - id: refused
    turns: [{ user: where is my t-shirt, says: [DHL] }]
`

test('a file of conversations is tried with the support agent, and pass^k is printed', async (t) => {
  const folder = folderFor(t)
  writeFileSync(join(folder, 'talk.yaml'), TALK)
  const { status, stdout } = await runCommand(['eval', 'talk.yaml', '--repeat', '2'], folder)
  assert.equal(status, 0, stdout)
  assert.match(
    stdout,
    /✓ status\n~ refused\n {4}> where is my t-shirt\n {4}< .*\n {4}turn 1 does not say DHL\n/,
  )
  assert.match(stdout, /\n1 of 2 right, 1 weak, 0 wrong at pass\^2\n$/)
  const gated = await runCommand(['eval', 'talk.yaml', '--gates', '--json'], folder)
  assert.equal(gated.status, 1)
  assert.deepEqual(JSON.parse(gated.stdout).figures, { right: 1, weak: 1, wrong: 0, runs: 1 })
})
