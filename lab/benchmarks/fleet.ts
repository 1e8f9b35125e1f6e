/*
 * Measures a fleet on a real PostgreSQL server of this machine: throughput beside a bare workflow of DBOS with the
 * same steps, the cost of a step with few and with a million stored runs, and how soon a run goes on after its
 * answer. Ends with 1 if a goal is missed.
 */
import { parseArgs } from 'node:util'
import { startPostgres } from '../../toolchain/postgres-server.ts'
import { type BenchWorker, benchWorker } from './fleet/bench-worker.ts'
import { fillTo } from './fleet/stored-rows.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    rows: { type: 'string', default: '1000000' },
    answers: { type: 'string', default: '300' },
  },
})
const STEPS = 10
const ROUNDS = 5
/** Goals. */
const MOST_TIME = 1.3
const MOST_GROWTH = 1.1
const MOST_WAKE_MS = 250
const FEW_ROWS = 1000

const server = await startPostgres()
const database = await server.create('bench')
const bench = await benchWorker(database)
try {
  await bench.perform(20, STEPS)
  await bench.performBare(20, STEPS)
  await throughput(bench, Number(values.runs))
  await wakeUps(bench, Number(values.answers))
  await storedRows(bench, Number(values.rows))
} finally {
  await bench.stop()
  await server.stop()
}

/** Both take turns, so that the machine's other work hits both. */
async function throughput(bench: BenchWorker, runs: number): Promise<void> {
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await timed(() => bench.performBare(runs, STEPS)))
    ours.push(await timed(() => bench.perform(runs, STEPS)))
  }
  const perSecond = (ms: number): string => ((1000 * runs * STEPS) / ms).toFixed(0)
  const ratio = median(ours) / median(bare)
  tell(
    `steps a second: ${perSecond(median(ours))}, bare DBOS ${perSecond(median(bare))}; time ${ratio.toFixed(2)} ×`,
    ratio <= MOST_TIME,
    `at most ${MOST_TIME} ×`,
  )
}

async function wakeUps(bench: BenchWorker, answers: number): Promise<void> {
  const runs = await bench.startAsking(answers)
  const times: number[] = []
  for (const run of runs) times.push(await bench.answer(run))
  const [half, most] = [quantile(times, 0.5), quantile(times, 0.99)]
  tell(
    `wake-up after an answer: p50 ${half.toFixed(0)} ms, p99 ${most.toFixed(0)} ms`,
    most < MOST_WAKE_MS,
    `p99 under ${MOST_WAKE_MS} ms`,
  )
}

async function storedRows(bench: BenchWorker, rows: number): Promise<void> {
  await fillTo(database, FEW_ROWS)
  const few = await costOfAStep(bench)
  const filling = await timed(() => fillTo(database, rows))
  const many = await costOfAStep(bench)
  const growth = many / few
  tell(
    `a step with ${FEW_ROWS} stored runs ${few.toFixed(3)} ms, with ${rows} ${many.toFixed(3)} ms: ${growth.toFixed(2)} × (filled in ${(filling / 1000).toFixed(0)} s)`,
    growth <= MOST_GROWTH,
    `at most ${MOST_GROWTH} ×`,
  )
}

/** Milliseconds of one step among many runs at once, the median of several rounds. */
async function costOfAStep(bench: BenchWorker): Promise<number> {
  const runs = Number(values.runs)
  const times: number[] = []
  await bench.perform(runs, STEPS)
  for (let round = 0; round < 2 * ROUNDS; round++) {
    times.push(await timed(() => bench.perform(runs, STEPS)))
  }
  return median(times) / (runs * STEPS)
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN
}

function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5)
}

function tell(line: string, isMet: boolean, goal: string): void {
  process.stdout.write(`${isMet ? '✓' : '✗'} ${line} (goal: ${goal})\n`)
  if (!isMet) process.exitCode = 1
}
