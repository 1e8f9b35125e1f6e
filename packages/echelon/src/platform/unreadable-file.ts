/** Why a user's file is not read. The message fits into a sentence in brackets. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError'
  /** Whether a smaller file would have been read. */
  readonly isTooLarge: boolean

  constructor(message: string, isTooLarge = false) {
    super(message)
    this.isTooLarge = isTooLarge
  }
}

/** The file's type, known without reading it. */
interface Kind {
  isFile(): boolean
  isDirectory(): boolean
  isFIFO(): boolean
  isSocket(): boolean
}

/** @throws UnreadableFileError for anything but a regular file */
export function requireFile(stats: Kind): void {
  if (!stats.isFile()) throw new UnreadableFileError(`it is ${kindOf(stats)}, not a file`)
}

function kindOf(stats: Kind): string {
  if (stats.isDirectory()) return 'a folder'
  if (stats.isFIFO()) return 'a pipe'
  return stats.isSocket() ? 'a socket' : 'a device'
}
