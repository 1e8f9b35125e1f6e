import type { ImageFacts } from '../../core/artifact.ts'
import { optionalPackage } from '../../core/optional-package.ts'

/** A few kilobytes can claim a billion pixels; beyond this an image is not decoded. */
const MOST_PIXELS = 16_000_000

/**
 * Size and ink of a PNG, or null when it does not decode or has over 16 million pixels.
 * Needs the package pngjs.
 * @throws EchelonError MISSING_PACKAGE
 */
export async function pngFacts(file: Uint8Array): Promise<ImageFacts | null> {
  const { default: pngjs } = await optionalPackage('pngjs@7', () => import('pngjs'))
  if (claimedPixels(file) > MOST_PIXELS) return null
  try {
    const { width, height, data } = pngjs.PNG.sync.read(Buffer.from(file))
    return { width, height, ink: inkOf(data) }
  } catch {
    return null
  }
}

/** Width and height stand in the first chunk (PNG specification, 11.2.1). */
function claimedPixels(file: Uint8Array): number {
  if (file.byteLength < 24) return 0
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  return view.getUint32(16) * view.getUint32(20)
}

/** Share of pixels that differ from the most frequent colour. */
function inkOf(rgba: Uint8Array): number {
  const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.byteLength / 4)
  const counts = new Map<number, number>()
  // Counted by runs of one colour: a plot has few, and this is five times as fast.
  for (let start = 0, end = 1; end <= pixels.length; end++) {
    const colour = pixels[start]
    if (colour === undefined || pixels[end] === colour) continue
    counts.set(colour, (counts.get(colour) ?? 0) + end - start)
    start = end
  }
  const background = counts.values().reduce((most, count) => Math.max(most, count), 0)
  return 1 - background / pixels.length
}
