import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

/**
 * Runs test files: `run.ts [OPTION…] [PATTERN…]`, with options of `node --test`. Without a pattern all
 * tests run except the long ones.
 */
const PATTERNS = ['src', 'cli/src', 'test', 'benchmarks', 'checks'].map(
  (folder) => `${folder}/**/*.test.ts`,
)

/** Milliseconds a test may take, so that one that hangs fails; the slowest needs a tenth of it. */
const LIMIT_MS = 600_000

const given = process.argv.slice(2)
const patterns = given.filter((word) => !word.startsWith('-'))
const child = spawn(
  process.execPath,
  [
    '--conditions=echelon-source',
    '--import=./test/preload.ts',
    '--test',
    `--test-timeout=${LIMIT_MS}`,
    // Node's own default leaves one core idle, which is half of a small machine.
    `--test-concurrency=${availableParallelism()}`,
    ...given.filter((word) => word.startsWith('-')),
    ...(patterns.length === 0 ? PATTERNS : patterns),
  ],
  { stdio: 'inherit' },
)
child.on('exit', (status) => (process.exitCode = status ?? 1))
