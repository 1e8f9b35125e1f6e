import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { UnreadableFile } from './safe-file.ts'

/** What a skill may bring along. */
const MOST_FILES = 200
const MOST_DEPTH = 4
/** Of a path: all of them are told to a model that opens the skill. */
const MOST_CHARACTERS = 200

/**
 * Paths of the files below a folder, with `/`, sorted. What is hidden, and what npm installed, is
 * left out.
 * @throws UnreadableFile for a link, for what is neither file nor folder, and for too many of them
 */
export async function listFiles(folder: string): Promise<readonly string[]> {
  const found: string[] = []
  await collect(folder, '', found)
  return found.toSorted()
}

async function collect(folder: string, below: string, found: string[]): Promise<void> {
  if (below.split('/').length > MOST_DEPTH + 1) {
    throw new UnreadableFile(`holds folders deeper than ${MOST_DEPTH} (${below})`)
  }
  for await (const entry of await opendir(join(folder, below))) {
    const { name } = entry
    if (name.startsWith('.') || name === 'node_modules') continue
    const path = `${below}${name}`
    if (path.length > MOST_CHARACTERS) {
      throw new UnreadableFile(`holds a path of more than ${MOST_CHARACTERS} characters (${below})`)
    }
    if (entry.isDirectory()) await collect(folder, `${path}/`, found)
    else if (!entry.isFile()) throw new UnreadableFile(whyNot(path, entry.isSymbolicLink()))
    else if (found.push(path) > MOST_FILES) {
      throw new UnreadableFile(`holds more than ${MOST_FILES} files`)
    }
  }
}

const whyNot = (path: string, isLink: boolean): string =>
  isLink
    ? `holds a symbolic link (${path}), which is not followed; put the file itself there`
    : `holds what is no file (${path})`
