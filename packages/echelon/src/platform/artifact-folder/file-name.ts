import { ToolError } from '../../core/tool/tool.ts'

/**
 * Maximum stem length in UTF-16 units: at most 180 bytes, and file systems allow 255 for a whole
 * name.
 */
const LONGEST_STEM = 60

/** Names that Windows treats as devices, whatever follows the first dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/** A separator of any system, a drive or stream, or a control character. */
const NOT_IN_A_NAME = /[/\\:\p{Cc}]/u

/**
 * A name that is safe in any folder: characters outside `[A-Za-z0-9._-]` become `_`, then `..`
 * becomes `_`.
 */
export const sanitizeFileName = (name: string): string =>
  name.replaceAll(/[^A-Za-z0-9._-]/gu, '_').replaceAll('..', '_')

/**
 * Returns the name if it is a plain file name.
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
 * The name's extension in lower case with its dot, such as `.png`.
 * @throws ToolError INVALID_FILE_TYPE when the extension is not allowed
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
 * The name under which content is stored: the given name with the first digits of the content's
 * SHA-256. Different contents never share a name, equal content is stored once, and a repeated run
 * yields the same names.
 */
export function nameWithDigest(name: string, extension: string, sha256: string): string {
  const stem = name.slice(0, -extension.length).slice(0, LONGEST_STEM).toWellFormed()
  return `${stem.replace(DEVICE, '_$&')}-${sha256.slice(0, 12)}${extension}`
}
