import type { ImageFacts } from '../core/tool/artifact.ts'
import { EchelonError } from '../core/value/error.ts'
import { ToolError } from '../core/tool/tool.ts'
import { isolate, workerModule } from './isolate.ts'

/** Enough for 16 million pixels on a slow machine. */
const LIMITS = { memoryMb: 256, residentMb: 640, timeoutMs: 5000 }

const measuring = isolate<string, ImageFacts | null>({
  name: 'the image reader',
  module: workerModule(import.meta.url, './image/measure.ts'),
  ...LIMITS,
  // The store of the file limits its size.
  maxInput: Number.MAX_SAFE_INTEGER,
})

/**
 * Size and ink of a PNG, or null if it does not decode within 16 million pixels, 5 seconds and 640
 * MiB. It is decoded in a separate process, so that no file can harm this one. Other image formats
 * are not decoded. Needs the package pngjs.
 * @throws EchelonError MISSING_PACKAGE
 */
export async function measureImage(file: Uint8Array): Promise<ImageFacts | null> {
  try {
    return await measuring.run(Buffer.from(file).toString('base64'), NEVER)
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    if (error.fault === 'setup') {
      throw new EchelonError('MISSING_PACKAGE', error.message, { cause: error })
    }
    return null
  }
}

const NEVER = new AbortController().signal
