import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/**
 * Runs test files: `run.ts [OPTION…] [PATTERN…]`, with options of `node --test`. Without a pattern all
 * tests run except the long ones, and the attacks last, whose table ends the output.
 */
const TESTS = [
  'src/**/*.test.ts',
  'cli/src/**/*.test.ts',
  'test/*.test.ts',
  'test/!(attacks)/**/*.test.ts',
  'benchmarks/**/*.test.ts',
  'checks/**/*.test.ts',
]
const ATTACKS = ['--test-reporter=./test/attacks/table.ts', 'test/attacks/**/*.test.ts']

/** Milliseconds a test may take, so that one that hangs fails; the slowest needs a tenth of it. */
const LIMIT_MS = 600_000

/** @returns the status of the process that ran them */
function run(words: readonly string[]): number {
  const isOption = (word: string): boolean => word.startsWith('-')
  const { status } = spawnSync(
    process.execPath,
    [
      '--conditions=echelon-source',
      '--import=./test/preload.ts',
      '--test',
      `--test-timeout=${LIMIT_MS}`,
      // Node's own default leaves one core idle, which is half of a small machine.
      `--test-concurrency=${availableParallelism()}`,
      ...words.filter(isOption),
      ...words.filter((word) => !isOption(word)),
    ],
    { stdio: 'inherit' },
  )
  return status ?? 1
}

const given = process.argv.slice(2)
const hasPattern = given.some((word) => !word.startsWith('-'))
const statuses = hasPattern
  ? [run(given)]
  : [run([...given, ...TESTS]), run([...given, ...ATTACKS])]
process.exitCode = Math.max(...statuses)
