/** Maximum number of test files in a process, so that no core idles while the other works through a large group. */
const MOST_FILES = 45

/** The same for tests that wait for processes and databases most of the time. */
const MOST_WAITING = 5

const PACKAGES = 'packages/'
const WAITING = ['test/fleet/', 'test/postgres/']

/**
 * Folders whose tests run without coverage, which takes half as much time again. They repeat what other tests reach,
 * or start processes, whose coverage is not counted anyway.
 */
const UNCOUNTED = [
  'cli/',
  'lab/',
  'test/attacks/',
  'test/crash/',
  'test/fleet/',
  'test/verification/',
]

const isIn = (folders: readonly string[], file: string): boolean =>
  folders.some((folder) => file.startsWith(folder))

/** Whether a test file counts for the coverage. */
export const isCounted = (file: string): boolean => !isIn(UNCOUNTED, file)

type Group = readonly string[]

/**
 * Groups test files that share a process: those of a package, or of a folder below `test`, `cli` or `lab`. Small
 * folders share one. Loading the modules takes longer than most tests, and files of a folder load the same ones.
 *
 * Tests that wait come first, so that others compute meanwhile, and the unit tests last: they are short, so all cores
 * finish at about the same time.
 */
export function testGroups(files: readonly string[]): readonly Group[] {
  const kinds = Map.groupBy(files, (file) => {
    if (isIn(WAITING, file)) return 'waits'
    if (!isCounted(file)) return 'uncounted'
    return file.startsWith(PACKAGES) ? 'unit' : 'other'
  })
  const of = (kind: 'waits' | 'uncounted' | 'other' | 'unit', most = MOST_FILES) =>
    groupsOf(kinds.get(kind) ?? [], most)
  return [...of('waits', MOST_WAITING), ...of('uncounted'), ...of('other'), ...of('unit')]
}

function groupsOf(files: Group, most: number): readonly Group[] {
  const folders = Map.groupBy(files.toSorted(), (file) =>
    file.split('/').slice(0, -1).slice(0, 2).join('/'),
  )
  const parts = [...folders.values()].flatMap((folder) => chunks(folder, most))
  return joined(parts, most).toSorted((a, b) => b.length - a.length)
}

/** Cuts a list into as few parts as possible, of about the same length. */
function chunks(files: Group, most: number): readonly Group[] {
  const count = Math.ceil(files.length / most)
  const size = Math.ceil(files.length / count)
  return Array.from({ length: count }, (_, part) => files.slice(part * size, (part + 1) * size))
}

/** Joins neighbors as far as a process takes them. */
function joined(groups: readonly Group[], most: number): readonly Group[] {
  const all: string[][] = []
  for (const group of groups) {
    const last = all.at(-1)
    if (last !== undefined && last.length + group.length <= most) last.push(...group)
    else all.push([...group])
  }
  return all
}
