/** Maximum number of test files in a process, so that no core idles while the other works through a large group. */
const MOST_FILES = 30

const PACKAGES = 'packages/'

/**
 * Folders whose tests run without a count of what they reach, which takes half as much time again: they repeat what
 * other tests reach, or start processes, which are not counted anyway.
 */
const UNCOUNTED = [
  'cli/',
  'lab/',
  'test/attacks/',
  'test/crash/',
  'test/fleet/',
  'test/verification/',
]

/** Whether a test file counts for the coverage. */
export const isCounted = (file: string): boolean =>
  !UNCOUNTED.some((folder) => file.startsWith(folder))

type Group = readonly string[]

/**
 * Groups test files that share a process: those of a package, or of a folder below `test`,
 * `cli` or `lab`; small folders share one, but none whose coverage is counted with one whose is not. Loading the modules takes longer than most tests, and files of a
 * folder load the same ones.
 *
 * The uncounted and the largest groups come first, and the unit tests last. They are short, so all cores finish at about the same time.
 */
export function testGroups(files: readonly string[]): readonly Group[] {
  const isUnit = (file: string): boolean => file.startsWith(PACKAGES)
  return [
    ...groupsOf(files.filter((file) => !isCounted(file))),
    ...groupsOf(files.filter((file) => isCounted(file) && !isUnit(file))),
    ...groupsOf(files.filter((file) => isUnit(file))),
  ]
}

function groupsOf(files: readonly string[]): readonly Group[] {
  const folders = Map.groupBy(files.toSorted(), (file) =>
    file.split('/').slice(0, -1).slice(0, 2).join('/'),
  )
  const groups = joined([...folders.values()].flatMap(chunks))
  return groups.toSorted((a, b) => b.length - a.length)
}

/** Cuts a list into as few parts as possible, of about the same length. */
function chunks(files: Group): readonly Group[] {
  const count = Math.ceil(files.length / MOST_FILES)
  const size = Math.ceil(files.length / count)
  return Array.from({ length: count }, (_, part) => files.slice(part * size, (part + 1) * size))
}

/** Joins neighbors as far as a process takes them. */
function joined(groups: readonly Group[]): readonly Group[] {
  const all: string[][] = []
  for (const group of groups) {
    const last = all.at(-1)
    if (last !== undefined && last.length + group.length <= MOST_FILES) last.push(...group)
    else all.push([...group])
  }
  return all
}
