/** Why a file that somebody gave is not read; a sentence in brackets can hold the message. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError'
  /** Whether a smaller file would have been read. */
  readonly isTooLarge: boolean

  constructor(message: string, isTooLarge = false) {
    super(message)
    this.isTooLarge = isTooLarge
  }
}

/** What is known of a file without reading it. */
interface Kind {
  isFile(): boolean
  isDirectory(): boolean
  isFIFO(): boolean
  isSocket(): boolean
}

/** @throws UnreadableFileError for anything but a regular file */
export function requireFile(stats: Kind): void {
  if (!stats.isFile()) throw new UnreadableFileError(`it is ${kindOf(stats)} and no file`)
}

function kindOf(stats: Kind): string {
  if (stats.isDirectory()) return 'a folder'
  if (stats.isFIFO()) return 'a pipe'
  return stats.isSocket() ? 'a socket' : 'a device'
}
