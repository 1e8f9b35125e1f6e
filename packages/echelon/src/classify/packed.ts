import type { ClassifierModel } from './classifier.ts'

/** Steps on each side of zero: a weight takes one byte. */
const STEPS = 127
/** Bytes before the head: its length. */
const LENGTH_BYTES = 4

interface Head {
  readonly features: readonly string[]
  readonly texts: number
  readonly labels: readonly (string | null)[]
  readonly calibration: readonly number[]
}

/**
 * A model as bytes, to be stored beside the program: weights are rounded to 255 steps per label, which left the share
 * of right readings as it was (docs/decisions/2026-11-embedded-classifier.md).
 */
export function packed({ vocabulary, planes, calibration }: ClassifierModel): Uint8Array {
  const { features, rarity, texts } = vocabulary
  const labels = planes.map(({ label }) => label)
  const head: Head = { features, texts, labels, calibration }
  const text = new TextEncoder().encode(JSON.stringify(head))
  const bytes = new Uint8Array(sizeOf(text.length, features.length, labels.length))
  const view = new DataView(bytes.buffer)
  view.setUint32(0, text.length, true)
  bytes.set(text, LENGTH_BYTES)
  let at = LENGTH_BYTES + text.length
  for (const each of rarity) {
    view.setFloat32(at, each, true)
    at += 4
  }
  for (const { weights } of planes) {
    const step = weights.reduce((most, each) => Math.max(most, Math.abs(each)), 0) / STEPS || 1
    view.setFloat32(at, step, true)
    at += 4
    for (const each of weights) view.setInt8(at++, Math.round(each / step))
  }
  return bytes
}

/**
 * The model that was packed.
 * @throws Error if the bytes are not of a packed model
 */
export function unpacked(bytes: Uint8Array): ClassifierModel {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const length = bytes.length < LENGTH_BYTES ? 0 : view.getUint32(0, true)
  const head = headOf(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length))
  const { features, texts, labels, calibration } = head
  if (bytes.length !== sizeOf(length, features.length, labels.length)) throw notPacked()
  let at = LENGTH_BYTES + length
  const rarity = features.map((_, nth) => view.getFloat32(at + 4 * nth, true))
  at += 4 * features.length
  const planes = labels.map((label) => {
    const step = view.getFloat32(at, true)
    at += 4
    const weights = new Float32Array(features.length + 1)
    for (let nth = 0; nth < weights.length; nth++) weights[nth] = view.getInt8(at++) * step
    return { label, weights }
  })
  return { vocabulary: { features, rarity, texts }, planes, calibration }
}

const sizeOf = (head: number, features: number, labels: number): number =>
  LENGTH_BYTES + head + 4 * features + labels * (4 + features + 1)

function headOf(bytes: Uint8Array): Head {
  let read: unknown
  try {
    read = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw notPacked(cause)
  }
  if (isHead(read)) return read
  throw notPacked()
}

const isHead = (read: unknown): read is Head =>
  typeof read === 'object' &&
  read !== null &&
  'features' in read &&
  isList(read.features, (each) => typeof each === 'string') &&
  'texts' in read &&
  typeof read.texts === 'number' &&
  'labels' in read &&
  isList(read.labels, (each) => each === null || typeof each === 'string') &&
  'calibration' in read &&
  isList(read.calibration, (each) => typeof each === 'number')

const isList = (value: unknown, fits: (each: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(fits)

const notPacked = (cause?: unknown): Error =>
  new Error('these bytes are not a packed classifier', { cause })
