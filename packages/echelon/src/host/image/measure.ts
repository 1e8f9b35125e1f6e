import pngjs from 'pngjs'
import type { ImageFacts } from '../../core/tool/artifact.ts'

/** A few kilobytes can claim a billion pixels; beyond this an image is not decoded. */
const MOST_PIXELS = 16_000_000

/**
 * Size and ink of a PNG, in base64; null when it does not decode, or has over 16 million pixels. What
 * it takes depends on the file alone, so it runs in a process of its own.
 */
export default function measure(base64: string): ImageFacts | null {
  const file = Buffer.from(base64, 'base64')
  if (!hasOneSize(file)) return null
  try {
    const { width, height, data } = pngjs.PNG.sync.read(file)
    return { width, height, ink: inkOf(data) }
  } catch {
    return null
  }
}

const SIGNATURE_BYTES = 8
/** Length, type and checksum of a chunk. */
const FRAME_BYTES = 12

/**
 * Whether the size stands in the first chunk and nowhere else (PNG specification, 5.6 and 11.2.1), and
 * is one that is decoded. The decoder takes the last size that it meets, whatever came before.
 */
function hasOneSize(file: Buffer): boolean {
  let at = SIGNATURE_BYTES
  for (let number = 0; at + FRAME_BYTES <= file.length; number++) {
    const type = file.toString('latin1', at + 4, at + 8)
    if ((type === 'IHDR') !== (number === 0)) return false
    if (number === 0) {
      if (at + FRAME_BYTES + 8 > file.length) return false
      const pixels = file.readUInt32BE(at + 8) * file.readUInt32BE(at + 12)
      if (pixels === 0 || pixels > MOST_PIXELS) return false
    }
    at += FRAME_BYTES + file.readUInt32BE(at)
  }
  return true
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
