import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { type ClassifierModel, packed, unpacked } from 'echelon/internal/classify'
import { readOnce } from './read-once.ts'
import type { TrainedModels } from '../understand/learning/trained-models.ts'

/** Bytes of the key's length, before the key. */
const LENGTH_BYTES = 2
const MOST_BYTES = 64_000_000

/**
 * The models that come along, unpacked when asked for; their files are read once in a process. They save time and nothing
 * else: without their files, or with damaged ones, the classifiers are trained with the first message.
 */
export const loadTrainedModels: () => Promise<TrainedModels> = readOnce(() =>
  readAll().catch(() => () => undefined),
)

async function readAll(): Promise<TrainedModels> {
  const folder = trainedFolder()
  const names = await readdir(folder)
  const files = await Promise.all(names.map((name) => readFile(join(folder, name))))
  const known = new Map(files.map((bytes) => [keyIn(bytes), bytes]))
  return (key) => {
    const bytes = known.get(key)
    return bytes && modelIn(bytes)
  }
}

/** Where `npm run train` writes the models of the examples that come along. */
export const trainedFolder = (): string =>
  fileURLToPath(new URL('trained/', import.meta.resolve('@echelon/support/config/intents.yaml')))

/** A model as a file: the key of its examples, and its packed weights, compressed. */
export function trainedFile(key: string, model: ClassifierModel): Uint8Array {
  const name = Buffer.from(key)
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt16LE(name.length)
  return Buffer.concat([length, name, brotliCompressSync(packed(model))])
}

const keyIn = (bytes: Buffer): string => bytes.subarray(LENGTH_BYTES, endOfKey(bytes)).toString()

function modelIn(bytes: Buffer): ClassifierModel | undefined {
  const compressed = bytes.subarray(endOfKey(bytes))
  try {
    return unpacked(brotliDecompressSync(compressed, { maxOutputLength: MOST_BYTES }))
  } catch {
    return undefined
  }
}

const endOfKey = (bytes: Buffer): number =>
  LENGTH_BYTES + (bytes.length < LENGTH_BYTES ? 0 : bytes.readUInt16LE())
