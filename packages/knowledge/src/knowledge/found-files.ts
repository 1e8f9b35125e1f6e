import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { EchelonError } from 'echelon/internal/value'

/** A file to read. */
export interface FoundFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/** The files to look for, and the limits of the search. */
export interface FileSearch {
  /** Extensions of files in folders, lower case, with the dot; a file given by name needs none of them. */
  readonly extensions: ReadonlySet<string>
  readonly maxFiles: number
  readonly signal: AbortSignal
}

/**
 * The files of a folder, by path, or the file itself; empty when nothing exists there. Links are
 * not followed; hidden entries and package folders are skipped.
 * @throws EchelonError INVALID_INPUT for a path that is neither file nor folder, and for too many files
 */
export async function foundFiles(path: string, search: FileSearch): Promise<readonly FoundFile[]> {
  const stats = await lstat(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (stats === undefined) return []
  if (stats.isSymbolicLink()) throw unusable(`${path} is a link; give the path it points to`)
  if (stats.isFile()) return [{ path, size: stats.size }]
  if (!stats.isDirectory()) throw unusable(`${path} is neither a file nor a folder`)
  const files: FoundFile[] = []
  await walk(path, search, files)
  return files
}

/** Undefined when there is no file. An unreadable one is returned: reading it reports the reason. */
export async function fileAt(path: string): Promise<FoundFile | undefined> {
  try {
    const stats = await lstat(path)
    return stats.isFile() ? { path, size: stats.size } : undefined
  } catch (error) {
    return isMissing(error) ? undefined : { path, size: 0 }
  }
}

async function walk(folder: string, search: FileSearch, files: FoundFile[]): Promise<void> {
  search.signal.throwIfAborted()
  const entries = await entriesOf(folder)
  // An unreadable folder does not stop the others: reading it as a file reports the reason.
  if (entries === undefined) return void files.push({ path: folder, size: 0 })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await walk(path, search, files)
    if (!entry.isFile() || !search.extensions.has(extensionOf(entry.name))) continue
    const file = await fileAt(path)
    if (file === undefined) continue
    files.push(file)
    if (files.length > search.maxFiles) {
      throw unusable(
        `there are more than ${search.maxFiles} documents in it; add its folders one by one, or raise maxFiles`,
      )
    }
  }
}

/** Undefined for an unreadable folder; empty for one deleted in the meantime. */
async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    return isMissing(error) ? [] : undefined
  }
}

const extensionOf = (name: string): string => /\.[^.]+$/.exec(name)?.[0].toLowerCase() ?? ''

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

const unusable = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
