/** Maximum number of test files in a process, so that no core idles while the other works through a large folder. */
const MOST_FILES = 16

const PACKAGES = 'packages/'

/**
 * Groups test files that share a process: those of a package, or of a folder below `test`,
 * `cli` or `lab`. Loading the modules takes longer than most tests, and files of a folder load the same ones.
 *
 * The unit tests come last. They are short, so all cores finish at about the same time.
 */
export function testGroups(files: readonly string[]): readonly (readonly string[])[] {
  const folders = Map.groupBy(files.toSorted(), (file) =>
    file.split('/').slice(0, -1).slice(0, 2).join('/'),
  )
  const groups = [...folders.values()].flatMap((folder) => chunks(folder))
  const isUnit = ([file = '']: readonly string[]): boolean => file.startsWith(PACKAGES)
  return [...groups.filter((group) => !isUnit(group)), ...groups.filter(isUnit)]
}

/** Cuts a list into as few parts as possible, of about the same length. */
function chunks(files: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(files.length / MOST_FILES)
  const size = Math.ceil(files.length / count)
  return Array.from({ length: count }, (_, part) => files.slice(part * size, (part + 1) * size))
}
