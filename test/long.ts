import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { seededRandom } from '../packages/echelon/src/core/value/random.ts'

/**
 * Long tests: the tests of `npm test` and `npm run test:fleet` with a new seed and more runs: crashes, schedules of
 * faults, every attack, matrix and exploration whole, every fuzzer for a minute, every property, and ten seeds of adversarial questions.
 *
 * `--seconds N` runs a share: what `npm test` with a seed does not do, in an order drawn from the seed, none
 * started after N seconds. Its seed is the date in UTC. `SEED=… npm run test:long` repeats a seed.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string' } } })
const SECONDS = Number(values.seconds ?? Infinity)
const TODAY = Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''))
const isShare = values.seconds !== undefined
const SEED = Number(process.env['SEED'] ?? (isShare ? TODAY : Math.floor(Math.random() * 1e6)))

if (!Number.isSafeInteger(SEED) || SEED < 0) {
  process.stderr.write('SEED must be a whole number from 0 on\n')
  process.exit(2)
}
if (Number.isNaN(SECONDS) || SECONDS <= 0) {
  process.stderr.write('--seconds must be a number above 0\n')
  process.exit(2)
}

interface LongTest {
  /** Words for `node`. */
  readonly words: readonly string[]
  /** Environment variables that it gets besides `SEED`. */
  readonly env: Readonly<Record<string, string>>
}

const testFile = (file: string, env: LongTest['env'] = {}): LongTest => ({
  words: ['test/run.ts', file],
  env,
})
const crashes = (runs: number): LongTest =>
  testFile('test/crash/random.test.ts', { CRASH_SEED: String(SEED), CRASH_RUNS: String(runs) })
const faultSchedules = (count: number): LongTest =>
  testFile('lab/benchmarks/cascade/money.test.ts', { SCHEDULES: String(count) })
const adversarial = (seeds: number, count = 30_000): LongTest => ({
  words: [
    '--conditions=echelon-source',
    'test/verification/adversarial.ts',
    `--seed=${SEED + 1}`,
    `--seeds=${seeds}`,
    `--count=${count}`,
  ],
  env: {},
})

/** Every case instead of a share: `test/share.ts` reads it. */
const WHOLE = { CASES: 'whole' }

const whole = (): readonly LongTest[] => [
  crashes(1000),
  faultSchedules(100_000),
  testFile('test/fuzz/**/*.test.ts', { FUZZ_SECONDS: '60', ...WHOLE }),
  ...[
    'test/crash/*.test.ts',
    'test/attacks/**/*.test.ts',
    'test/fleet/**/*.test.ts',
    'test/postgres/**/*.test.ts',
    'test/examples.test.ts',
    'test/failing-server.test.ts',
    'test/reader-time.test.ts',
    'test/cascade/**/*.test.ts',
    'test/decide/**/*.test.ts',
    'test/model-tape.test.ts',
    'test/server/**/*.test.ts',
    'test/support/**/*.test.ts',
    'test/redaction/**/*.test.ts',
    'test/verification/**/*.test.ts',
    'lab/benchmarks/**/*.test.ts',
    'test/{adapters,assist,chat,lasting,mcp,memory,providers,readers,replay,runtime,stores,tracing}/**/*.test.ts',
    'cli/src/**/*.test.ts',
    'packages/*/src/**/*.test.ts',
  ].map((file) => testFile(file, WHOLE)),
  adversarial(10),
]

/** Tests that take seconds, in the order of the seed. */
function share(): readonly LongTest[] {
  const random = seededRandom(SEED)
  return [faultSchedules(2000), adversarial(1, 10_000)]
    .map((one) => ({ one, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ one }) => one)
}

/** @returns the command that repeats a test */
function commandOf({ words, env }: LongTest): string {
  const variables = Object.entries({ SEED, ...env }).map(([name, value]) => `${name}=${value}`)
  return [
    ...variables,
    'node',
    ...words.map((word) => (word.includes('*') ? `'${word}'` : word)),
  ].join(' ')
}

process.stdout.write(`seed ${SEED}\n`)
const began = performance.now()
const failed: LongTest[] = []
for (const one of isShare ? share() : whole()) {
  if (performance.now() - began > SECONDS * 1000) break
  process.stdout.write(`${commandOf(one)}\n`)
  const env = { ...process.env, SEED: String(SEED), ...one.env }
  const { status } = spawnSync(process.execPath, one.words, { stdio: 'inherit', env })
  if (status !== 0) failed.push(one)
}
for (const one of failed) process.stdout.write(`failed; repeat it with: ${commandOf(one)}\n`)
process.exitCode = failed.length === 0 ? 0 : 1
