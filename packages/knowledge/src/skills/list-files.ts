import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { UnreadableFile } from './safe-file.ts'

/** Limits on a skill's files. */
const MAX_FILES = 200
const MAX_DEPTH = 4
/** Length of one path; all paths are sent to a model that opens the skill. */
const MAX_CHARACTERS = 200

/**
 * Paths of the files below a folder, with `/`, sorted. Skips hidden entries and installed packages.
 * @throws UnreadableFile for a link, for an entry that is neither file nor folder, and for too many
 * files
 */
export async function listFiles(folder: string): Promise<readonly string[]> {
  const found: string[] = []
  await collect(folder, '', found)
  return found.toSorted()
}

async function collect(folder: string, below: string, found: string[]): Promise<void> {
  if (below.split('/').length > MAX_DEPTH + 1) {
    throw new UnreadableFile(`holds folders deeper than ${MAX_DEPTH} (${below})`)
  }
  for await (const entry of await opendir(join(folder, below))) {
    const { name } = entry
    if (name.startsWith('.') || name === 'node_modules') continue
    const path = `${below}${name}`
    if (path.length > MAX_CHARACTERS) {
      throw new UnreadableFile(`holds a path of more than ${MAX_CHARACTERS} characters (${below})`)
    }
    if (entry.isDirectory()) await collect(folder, `${path}/`, found)
    else if (!entry.isFile()) throw new UnreadableFile(whyNot(path, entry.isSymbolicLink()))
    else if (found.push(path) > MAX_FILES) {
      throw new UnreadableFile(`holds more than ${MAX_FILES} files`)
    }
  }
}

const whyNot = (path: string, isLink: boolean): string =>
  isLink
    ? `holds a symbolic link (${path}), which is not followed; put the file itself there`
    : `contains something other than a file (${path})`
