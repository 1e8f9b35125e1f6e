import type { ArtifactStore } from '../core/tool/artifact.ts'
import {
  artifactFolder as folderOf,
  type ArtifactFolderOptions,
  type MeasureImage,
} from './artifact-folder.ts'

/**
 * Artifacts as private files (0600) of one folder. A folder that is made here is private, too
 * (0700); one that was there keeps its mode.
 *
 * A file is called as asked plus twelve digits of its content's SHA-256, `plot-3f29a1c04b7e.png`:
 * files of concurrent runs never overwrite each other, and the same content is one file.
 *
 * `write` fails with PATH_TRAVERSAL, INVALID_FILE_TYPE or FILE_TOO_LARGE before anything is
 * written, and with TOOL_ERROR when the disk does not take the file; nothing is left behind.
 * Size and ink of a PNG are measured in an isolate.
 * @throws EchelonError INVALID_CONFIG for a limit that is not above 0 or an extension without dot
 */
export const artifactFolder = (options: ArtifactFolderOptions): ArtifactStore =>
  folderOf(options, measureImage)

/** In a process of its own, which starts with the first image. */
const measureImage: MeasureImage = async (file) => (await import('./image.ts')).measureImage(file)
