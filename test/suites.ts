import { globSync } from 'node:fs'

/** Test files of all suites. */
const TESTS = [
  'packages/*/src/**/*.test.ts',
  'cli/src/**/*.test.ts',
  'studio/src/**/*.test.ts',
  'test/**/*.test.ts',
  'lab/benchmarks/**/*.test.ts',
  'lab/checks/**/*.test.ts',
  'lab/pictures/**/*.test.ts',
]

/** Folders of tests that start PostgreSQL servers and several processes, and wait for them. */
const FLEET = ['test/fleet/', 'test/postgres/']

/** Files of these folders that `npm test` runs: two that start no server, and one that covers most of the store. */
const IN_ALL: ReadonlySet<string> = new Set([
  'test/fleet/agent-on-engine.test.ts',
  'test/fleet/deploy.test.ts',
  'test/postgres/store-contract.test.ts',
])

/** Whether a test file is left to `npm run test:fleet`. */
export const isOfFleet = (file: string): boolean =>
  FLEET.some((folder) => file.startsWith(folder)) && !IN_ALL.has(file)

/** The test files of a suite, in alphabetical order: `all` is `npm test`. */
export function filesOfSuite(name: string): readonly string[] {
  const isWanted = name === 'fleet'
  if (!isWanted && name !== 'all') throw new Error(`no suite is called ${name}`)
  return globSync(TESTS, { exclude: ['**/node_modules/**'] })
    .filter((file) => isOfFleet(file) === isWanted)
    .toSorted()
}
