import type { ArtifactStore } from '../core/tool/artifact.ts'
import {
  artifactFolder as folderOf,
  type ArtifactFolderOptions,
  type MeasureImage,
} from './artifact-folder.ts'

/**
 * Stores artifacts as private files (0600) in one folder. A folder created here is private too
 * (0700); an existing one keeps its mode.
 * A file's name is the requested one with twelve digits of its content's SHA-256, such as
 * `plot-3f29a1c04b7e.png`: files of concurrent runs never overwrite each other, and equal content
 * is stored once.
 *
 * `write` fails with PATH_TRAVERSAL, INVALID_FILE_TYPE or FILE_TOO_LARGE before anything is
 * written, and with TOOL_ERROR if the disk rejects the file; nothing is left behind. Size and ink
 * of a PNG are measured in an isolate.
 * @throws EchelonError INVALID_CONFIG for a limit that is not above 0 or an extension without dot
 */
export const artifactFolder = (options: ArtifactFolderOptions): ArtifactStore =>
  folderOf(options, measureImage)

/** Runs in a separate process, which starts with the first image. */
const measureImage: MeasureImage = async (file) => (await import('./image.ts')).measureImage(file)
