import { spawnSync } from 'node:child_process'

/**
 * Long tests: the same as `npm test` has, with a new seed and more runs: crashes, every attack, matrix
 * and exploration whole, every fuzzer for a minute, every property, and ten seeds of adversarial
 * questions.
 * `SEED=… npm run test:long` repeats a seed.
 */
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e6))

interface LongTest {
  readonly file: string
  /** What its environment gets besides. */
  readonly env: Readonly<Record<string, string>>
}

/** Every case instead of a share: `test/share.ts` reads it. */
const WHOLE = { CASES: 'whole' }

const LONG: readonly LongTest[] = [
  { file: 'test/crash/random.test.ts', env: { CRASH_SEED: String(SEED), CRASH_RUNS: '1000' } },
  { file: 'test/crash/matrix.test.ts', env: WHOLE },
  { file: 'test/attacks/**/*.test.ts', env: WHOLE },
  { file: 'test/fuzz/**/*.test.ts', env: { FUZZ_SECONDS: '60' } },
  { file: 'test/examples.test.ts', env: WHOLE },
  { file: 'test/reader-time.test.ts', env: WHOLE },
  { file: 'test/decide/**/*.test.ts', env: WHOLE },
  { file: 'test/support/**/*.test.ts', env: WHOLE },
  { file: 'test/redaction/**/*.test.ts', env: WHOLE },
  { file: 'test/verification/**/*.test.ts', env: WHOLE },
  { file: 'benchmarks/**/*.test.ts', env: WHOLE },
  { file: 'src/**/*.test.ts', env: WHOLE },
]

if (!Number.isSafeInteger(SEED) || SEED < 0) {
  process.stderr.write('SEED must be a whole number from 0 on\n')
  process.exit(2)
}
process.stdout.write(`seed ${SEED}\n`)
const failed = LONG.filter(({ file, env }) => {
  const options = { stdio: 'inherit', env: { ...process.env, SEED: String(SEED), ...env } } as const
  return spawnSync(process.execPath, ['test/run.ts', file], options).status !== 0
})
const seeds = [`--seed=${SEED + 1}`, '--seeds=10', '--count=30000']
const verified = spawnSync(
  process.execPath,
  ['--conditions=echelon-source', 'test/verification/adversarial.ts', ...seeds],
  { stdio: 'inherit' },
)
for (const { file } of failed) {
  process.stdout.write(`${file} failed; repeat it with: SEED=${SEED} npm run test:long\n`)
}
process.exitCode = failed.length === 0 && verified.status === 0 ? 0 : 1
