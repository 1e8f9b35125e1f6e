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

/** Files of the command whose tests mostly start it as a process; the others run it in their own process. */
const PROCESSES = [
  'cli/src/chat/in-terminal.test.ts',
  'cli/src/ending.test.ts',
  'cli/src/processes.test.ts',
  'cli/src/records.test.ts',
  'cli/src/runs/runs.test.ts',
  'cli/src/serve.test.ts',
  'cli/src/support/in-terminal.test.ts',
  'cli/src/support/support.test.ts',
]

/** Tests in which several processes race, or are killed. */
const RACES = [
  'test/lasting/keys.test.ts',
  'test/lasting/outside.test.ts',
  'test/lasting/sessions.test.ts',
  'test/server/killed.test.ts',
  'test/stores/audit-store.test.ts',
  'test/stores/shared-cache.test.ts',
]

/** Agents driven through all their states, and the faults that this must find. */
const EXPLORATIONS = [
  'test/assist/explore.test.ts',
  'test/decide/explore.test.ts',
  'test/decide/mutants.test.ts',
  'test/support/explore.test.ts',
]

/** Long scenarios: `npm test` runs one in so many of their files, others each day. The long tests run all. */
export const DRAWN: readonly { readonly of: readonly string[]; readonly oneIn: number }[] = [
  { of: ['test/attacks/'], oneIn: 6 },
  { of: ['test/crash/', 'test/verification/'], oneIn: 6 },
  { of: ['test/fuzz/'], oneIn: 3 },
  { of: ['lab/benchmarks/'], oneIn: 6 },
  { of: ['lab/checks/'], oneIn: 2 },
  { of: PROCESSES, oneIn: 3 },
  { of: RACES, oneIn: 3 },
  { of: EXPLORATIONS, oneIn: 4 },
]

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
  const sets = Map.groupBy(files, (file) =>
    DRAWN.find(({ of }) => of.some((place) => file.startsWith(place))),
  )
  const chosen = [...sets].flatMap(([set, some]) =>
    spread(some, Math.ceil(some.length / (set?.oneIn ?? 1))),
  )
  return chosen.toSorted()
}
