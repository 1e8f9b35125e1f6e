import type { Entry, ZipFile } from 'yauzl'
import type { ReadingLimits } from 'echelon/internal/knowledge'
import { problemOf, refused } from './refused.ts'

const MAX_ENTRIES = 2000
/** Unpacked size to file size; text compresses 10 to 1, XML with little content 50 to 1. */
const MAX_RATIO = 200
/** Factor of the maximum file size that a file may unpack to. */
const UNPACKED = 4
/** Below this size any ratio is harmless. */
const SMALL = 1_000_000

/**
 * Checks a zip file before keeping any of it: what its directory declares, and whether that is true.
 * Unpacks each entry once, in pieces that are discarded, and stops at the declared size.
 * @throws EchelonError INVALID_INPUT for a broken file, and for one that exceeds a limit
 */
export async function checkZip(
  name: string,
  content: Uint8Array,
  about: { readonly limits: ReadingLimits; readonly signal?: AbortSignal },
): Promise<void> {
  const { fromBuffer } = await import('yauzl')
  const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const options = { lazyEntries: true, validateEntrySizes: true, autoClose: false }
  const zip = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(buffer, options, (error, zip) => (error === null ? resolve(zip) : reject(error))),
  ).catch((error: unknown) => {
    throw refused(name, `is broken or cut off (${problemOf(error)}); load it again`, error)
  })
  if (zip.entryCount > MAX_ENTRIES) throw tooMany(name)
  const entries = await entriesOf(name, zip)
  checkSizes(name, entries, { packed: content.byteLength, most: about.limits.maxBytes * UNPACKED })
  for (const entry of entries) {
    about.signal?.throwIfAborted()
    if (entry.isEncrypted()) throw refused(name, 'is encrypted; save it without a password')
    await checkContent(zip, entry).catch((error: unknown) => {
      const why = `is broken, or is not what its directory says (${problemOf(error)})`
      throw refused(name, `${why}; leave it out or save it again`, error)
    })
  }
}

const tooMany = (name: string): Error =>
  refused(name, `contains more than ${MAX_ENTRIES} files, too many for a document; leave it out`)

function checkSizes(
  name: string,
  entries: readonly Entry[],
  { packed, most }: { readonly packed: number; readonly most: number },
): void {
  const size = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
  if (size > most) {
    const holds = `unpacks to ${size} bytes, and at most ${most} are read`
    throw refused(name, `${holds}; leave it out, or raise maxBytes`)
  }
  if (size > SMALL && size > packed * MAX_RATIO) {
    throw refused(
      name,
      `unpacks to ${Math.round(size / packed)} times its size, as no document does; leave it out`,
    )
  }
}

async function entriesOf(name: string, zip: ZipFile): Promise<readonly Entry[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Entry[]>()
  const entries: Entry[] = []
  zip.on('entry', (entry: Entry) => {
    entries.push(entry)
    if (entries.length > MAX_ENTRIES) reject(tooMany(name))
    else zip.readEntry()
  })
  zip.on('end', () => resolve(entries))
  zip.on('error', (error) =>
    reject(refused(name, `is broken or cut off (${problemOf(error)}); load it again`, error)),
  )
  zip.readEntry()
  return await promise
}

/** Rejects an entry whose size is not the declared one. */
async function checkContent(zip: ZipFile, entry: Entry): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  zip.openReadStream(entry, (error, stream) => {
    if (error !== null) return reject(error)
    stream.on('error', reject).on('end', resolve).resume()
  })
  await promise
}
