import { globSync } from 'node:fs'
import { IS_WHOLE, spread } from './share.ts'

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

/** Files of these folders that `npm test` runs: two that start no server, and those that cover most of the store. */
const IN_ALL: ReadonlySet<string> = new Set([
  'test/fleet/agent-on-engine.test.ts',
  'test/fleet/deploy.test.ts',
  'test/postgres/copy.test.ts',
  'test/postgres/knowledge-contract.test.ts',
  'test/postgres/store-contract.test.ts',
])

/** Folders of long scenarios: `npm test` runs one in so many of their files, others each day. The long tests run all. */
const DRAWN: Readonly<Record<string, number>> = {
  'lab/benchmarks/': 3,
  'test/attacks/': 2,
  'test/crash/': 3,
  'test/fuzz/': 3,
  'test/verification/': 2,
}

/** Whether a test file is left to `npm run test:fleet`. */
export const isOfFleet = (file: string): boolean =>
  FLEET.some((folder) => file.startsWith(folder)) && !IN_ALL.has(file)

/** The test files of a suite, in alphabetical order: `all` is `npm test`, of whose long scenarios some are drawn. */
export function filesOfSuite(name: string, isWhole: boolean = IS_WHOLE): readonly string[] {
  const isWanted = name === 'fleet'
  if (!isWanted && name !== 'all') throw new Error(`no suite is called ${name}`)
  const files = globSync(TESTS, { exclude: ['**/node_modules/**'] })
    .filter((file) => isOfFleet(file) === isWanted)
    .toSorted()
  return isWhole ? files : drawn(files)
}

function drawn(files: readonly string[]): readonly string[] {
  const byFolder = Map.groupBy(files, (file) =>
    Object.keys(DRAWN).find((folder) => file.startsWith(folder)),
  )
  const chosen = [...byFolder].flatMap(([folder = '', some]) =>
    spread(some, Math.ceil(some.length / (DRAWN[folder] ?? 1))),
  )
  return chosen.toSorted()
}
