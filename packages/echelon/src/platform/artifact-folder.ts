import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { Artifact, ArtifactStore, ImageFacts } from '../core/tool/artifact.ts'
import { EchelonError } from '../core/value/error.ts'
import { ToolError } from '../core/tool/tool.ts'
import {
  allowedExtension,
  nameWithDigest,
  plainFileName,
  sanitizeFileName,
} from './artifact-folder/file-name.ts'
import { mediaTypeOf } from './artifact-folder/media-type.ts'
import { realFolder, writePrivateFile } from './artifact-folder/private-file.ts'

export interface ArtifactFolderOptions {
  /** Created at the first write if it does not exist; must not be a symbolic link. */
  readonly folder: string
  /** Largest file, in MiB. Default 5. */
  readonly maxArtifactMb?: number
  /** With dots, in any case. Default `.png`, `.jpg`, `.json` and `.txt`. */
  readonly allowedExtensions?: readonly string[]
  /**
   * Whether unsafe file names are changed to safe ones. Default true. If false, a name is kept, and
   * rejected unless it is a plain file name.
   */
  readonly sanitizeFilenames?: boolean
}

/** Measures a file that starts like a PNG. */
export type MeasureImage = (file: Uint8Array) => Promise<ImageFacts | null>

/**
 * Stores artifacts as private files (0600) in one folder. A folder created here is private too
 * (0700); an existing one keeps its mode.
 * A file's name is the requested one with twelve digits of its content's SHA-256, such as
 * `plot-3f29a1c04b7e.png`: files of concurrent runs never overwrite each other, and equal content
 * is stored once.
 *
 * `write` fails with PATH_TRAVERSAL, INVALID_FILE_TYPE or FILE_TOO_LARGE before anything is
 * written, and with TOOL_ERROR if the disk rejects the file; nothing is left behind. Measuring size
 * and ink of a PNG needs the package pngjs.
 * @param measureImage size and ink of a PNG, null for an invalid one; must be safe for any file
 * @throws EchelonError INVALID_CONFIG for a limit that is not above 0 or an extension without dot
 */
export function artifactFolder(
  options: ArtifactFolderOptions,
  measureImage: MeasureImage,
): ArtifactStore {
  const folder = resolve(options.folder)
  const limits = checkedLimits(options)
  const nameOf = options.sanitizeFilenames === false ? plainFileName : sanitizeFileName
  /** The folder's real path at the first write, which must not change later. */
  let home: string | undefined

  async function openFolder(): Promise<string> {
    const real = await realFolder(folder)
    home ??= real
    if (real === home) return real
    const message = `the artifacts folder has moved from ${home} to ${real}`
    throw new ToolError('PATH_TRAVERSAL', message, { fault: 'setup' })
  }

  return {
    async write(name, content) {
      const requested = nameOf(name)
      const extension = allowedExtension(requested, limits.extensions)
      requireSize(content, limits.maxMb)
      const facts = await measure(content, measureImage)
      const kept = nameWithDigest(requested, extension, facts.sha256)
      const real = await onDisk(async () => {
        const real = await openFolder()
        await writePrivateFile(real, kept, content)
        return real
      })
      return { name: kept, path: join(real, kept), ...facts }
    },
  }
}

interface Limits {
  readonly maxMb: number
  readonly extensions: readonly string[]
}

function checkedLimits(options: ArtifactFolderOptions): Limits {
  const { maxArtifactMb = 5, allowedExtensions = ['.png', '.jpg', '.json', '.txt'] } = options
  if (!(maxArtifactMb > 0)) throw invalid('maxArtifactMb must be above 0')
  const odd = allowedExtensions.find((extension) => !/^\.[a-z0-9]+$/i.test(extension))
  if (odd !== undefined) throw invalid(`"${odd}" is not an extension; write it as .png`)
  return { maxMb: maxArtifactMb, extensions: allowedExtensions.map((one) => one.toLowerCase()) }
}

const invalid = (message: string): EchelonError => new EchelonError('INVALID_CONFIG', message)

function requireSize({ byteLength }: Uint8Array, maxMb: number): void {
  if (byteLength <= maxMb * 1024 * 1024) return
  const size = (byteLength / 1024 / 1024).toFixed(1)
  throw new ToolError('FILE_TOO_LARGE', `an artifact may have ${maxMb} MB; this one has ${size} MB`)
}

async function measure(
  content: Uint8Array,
  measureImage: MeasureImage,
): Promise<Omit<Artifact, 'name' | 'path'>> {
  const mediaType = mediaTypeOf(content)
  const image = mediaType === 'image/png' ? await measureImage(content) : null
  return {
    mediaType,
    bytes: content.byteLength,
    sha256: createHash('sha256').update(content).digest('hex'),
    ...(image !== null && { image }),
  }
}

const ELSEWHERE = 'name another artifacts folder'

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space',
  EDQUOT: 'the quota of the disk is used up; free some space',
  EFBIG: 'the system does not allow files of this size; raise its limit',
  EROFS: `the file system is read-only; ${ELSEWHERE}`,
  EACCES: `the folder may not be written to; allow it, or ${ELSEWHERE}`,
  EPERM: `the folder may not be written to; allow it, or ${ELSEWHERE}`,
  ENOTDIR: `a file is in the way of the folder; move it, or ${ELSEWHERE}`,
  EEXIST: `a file is in the way of the folder; move it, or ${ELSEWHERE}`,
  EISDIR: 'a folder is in the way of the file; move it',
}

async function onDisk<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error instanceof ToolError) throw error
    const known = REASONS[String(error.code)]
    const fault = known === undefined ? undefined : 'setup'
    const message = `the artifact was not saved: ${known ?? error.message}`
    throw new ToolError('TOOL_ERROR', message, { fault })
  }
}
