import { randomUUID } from 'node:crypto'
import {
  constants,
  type FileHandle,
  lstat,
  mkdir,
  open,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ToolError } from '../../core/tool/tool.ts'

/**
 * The folder's real path. Creates the folder with access for its owner only if it does not exist.
 * @throws ToolError PATH_TRAVERSAL when the folder is a symbolic link
 */
export async function realFolder(folder: string): Promise<string> {
  await makeFolder(folder)
  if ((await lstat(folder)).isSymbolicLink()) throw linked(folder)
  return realpath(folder)
}

/**
 * Creates a folder and its parents. Node's own `recursive` never ends on a file system that reports
 * ENOENT for a folder that cannot be created, as /proc does.
 */
async function makeFolder(folder: string, isAgain = false): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return
    const above = dirname(folder)
    if (code !== 'ENOENT' || isAgain) throw error
    // If another writer has created the parent meanwhile, one more attempt is enough.
    const isThere = await isFolder(above)
    if (!isThere) await makeFolder(above)
    await makeFolder(folder, isThere)
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/**
 * Writes a file that only its owner can read. The file appears under its name when it is complete
 * and replaces any existing one; a symbolic link is replaced, not followed. A failure leaves
 * nothing behind.
 * @param folder its real path
 * @throws ToolError PATH_TRAVERSAL when the folder has been moved
 */
export async function writePrivateFile(
  folder: string,
  name: string,
  content: Uint8Array,
): Promise<void> {
  const draft = join(folder, `.${randomUUID()}.part`)
  try {
    const file = await open(draft, NEW_FILE, 0o600)
    try {
      await requireInFolder(file, draft, folder)
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, join(folder, name))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

/**
 * Detects a link put in the folder's place before the file was opened: either the folder's path has
 * changed, or, if the folder was put back, the open file is not the one at that path.
 */
async function requireInFolder(file: FileHandle, path: string, folder: string): Promise<void> {
  if ((await realpath(folder)) !== folder) throw linked(folder)
  const [opened, seen] = await Promise.all([file.stat(), lstat(path)])
  if (opened.ino !== seen.ino || opened.dev !== seen.dev) throw linked(folder)
}

const linked = (folder: string): ToolError =>
  new ToolError(
    'PATH_TRAVERSAL',
    `the artifacts folder ${folder} is a symbolic link; name the folder that it leads to`,
    { fault: 'setup' },
  )
