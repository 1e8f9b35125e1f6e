import { ToolError } from '../../core/tool/tool.ts'

/** Of a stem, in UTF-16 units: at most 180 bytes, and file systems take 255 for a whole name. */
const LONGEST_STEM = 60

/** What Windows takes for a device, whatever follows the first dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/** A separator of any system, a drive or stream, or a character that ends or garbles a name. */
const NOT_IN_A_NAME = /[/\\:\p{Cc}]/u

/**
 * A name that is harmless in any folder: what is outside `[A-Za-z0-9._-]` becomes `_`, then `..`
 * becomes `_`.
 */
export const sanitizeFileName = (name: string): string =>
  name.replaceAll(/[^A-Za-z0-9._-]/gu, '_').replaceAll('..', '_')

/**
 * The same name, if it is that of a file and of no path.
 * @throws ToolError PATH_TRAVERSAL
 */
export function plainFileName(name: string): string {
  if (NOT_IN_A_NAME.test(name) || name === '.' || name === '..') {
    throw new ToolError(
      'PATH_TRAVERSAL',
      `an artifact cannot be called ${JSON.stringify(name.slice(0, 80))}: a file name has no path in it`,
    )
  }
  return name
}

/**
 * The name's extension in lower case, with its dot: `.png`.
 * @throws ToolError INVALID_FILE_TYPE when it is not one of those allowed
 */
export function allowedExtension(name: string, allowed: readonly string[]): string {
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 ? name.slice(dot).toLowerCase() : ''
  if (allowed.includes(extension)) return extension
  const found = extension === '' ? 'no extension' : `the extension ${extension.slice(0, 20)}`
  throw new ToolError(
    'INVALID_FILE_TYPE',
    `an artifact may end in ${allowed.join(', ')}; this name has ${found}`,
  )
}

/**
 * The name under which content is kept: its own with the first digits of the content's SHA-256.
 * So two contents never meet in one name, the same content is kept once, and a run that is done
 * again yields the same names.
 */
export function nameWithDigest(name: string, extension: string, sha256: string): string {
  const stem = name.slice(0, -extension.length).slice(0, LONGEST_STEM).toWellFormed()
  return `${stem.replace(DEVICE, '_$&')}-${sha256.slice(0, 12)}${extension}`
}
