import { spawnSync } from 'node:child_process'

/**
 * Long tests: the same as `npm test` has, with a new seed and more runs, and ten seeds of adversarial
 * questions, in some twenty minutes.
 * `SEED=… npm run test:long` repeats a seed.
 */
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e6))

interface LongTest {
  readonly file: string
  /** What its environment gets besides. */
  readonly env: Readonly<Record<string, string>>
}

const LONG: readonly LongTest[] = [
  { file: 'test/crash/random.test.ts', env: { CRASH_SEED: String(SEED), CRASH_RUNS: '1000' } },
]

if (!Number.isSafeInteger(SEED) || SEED < 0) {
  process.stderr.write('SEED must be a whole number from 0 on\n')
  process.exit(2)
}
process.stdout.write(`seed ${SEED}\n`)
const failed = LONG.filter(({ file, env }) => {
  const options = { stdio: 'inherit', env: { ...process.env, ...env } } as const
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
