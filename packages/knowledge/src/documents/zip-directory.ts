import type { Entry, ZipFile } from 'yauzl'
import type { ReadingLimits } from 'echelon/internal/knowledge'
import { problemOf, refused } from './refused.ts'

const MOST_ENTRIES = 2000
/** Of what is in it, to the file itself; text packs 10 to 1, and XML that says little 50. */
const MOST_RATIO = 200
/** What a file unpacks to may be so many times what a file may be. */
const UNPACKED = 4
/** Below this size a ratio does no harm. */
const SMALL = 1_000_000

/**
 * Looks at a zip file before anything of it is kept: what its directory says, and whether that is
 * so. Each entry is unpacked once, in pieces that are let go of, and no further than it says.
 * @throws EchelonError INVALID_INPUT for one that is broken, or larger than it may be
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
  if (zip.entryCount > MOST_ENTRIES) throw tooMany(name)
  const entries = await entriesOf(name, zip)
  checkSizes(name, entries, { packed: content.byteLength, most: about.limits.maxBytes * UNPACKED })
  for (const entry of entries) {
    about.signal?.throwIfAborted()
    if (entry.isEncrypted()) throw refused(name, 'is encrypted; save it without a password')
    await unpackedAway(zip, entry).catch((error: unknown) => {
      const why = `is broken, or is not what its directory says (${problemOf(error)})`
      throw refused(name, `${why}; leave it out or save it anew`, error)
    })
  }
}

const tooMany = (name: string): Error =>
  refused(name, `packs more than ${MOST_ENTRIES} files, which no document does; leave it out`)

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
  if (size > SMALL && size > packed * MOST_RATIO) {
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
    if (entries.length > MOST_ENTRIES) reject(tooMany(name))
    else zip.readEntry()
  })
  zip.on('end', () => resolve(entries))
  zip.on('error', (error) =>
    reject(refused(name, `is broken or cut off (${problemOf(error)}); load it again`, error)),
  )
  zip.readEntry()
  return await promise
}

/** Ends well only where an entry is as large as it says. */
async function unpackedAway(zip: ZipFile, entry: Entry): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  zip.openReadStream(entry, (error, stream) => {
    if (error !== null) return reject(error)
    stream.on('error', reject).on('end', resolve).resume()
  })
  await promise
}
