import type { ReadDocument, ReadingLimits } from 'echelon/internal/knowledge'
import { EchelonError } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import { readerFor } from './kinds.ts'

/** A document as sent to the process that reads it. */
export interface ReadRequest extends JsonObject {
  readonly name: string
  /** Base64. */
  readonly content: string
  readonly limits: { readonly [Name in keyof ReadingLimits]: number }
}

/** Errors lose their class between processes, so a refusal is sent as a result. */
export type WasRead =
  | { readonly type: 'read'; readonly document: ReadDocument }
  | {
      readonly type: 'refused'
      readonly code: EchelonError['code']
      readonly message: string
      readonly details: JsonObject
    }

let isRefused = false

/** A parser that stopped in the middle of a document is not reused. */
export const isIntact = (): boolean => !isRefused

/** Entry point of the process that reads documents. */
export default async function reading({ name, content, limits }: ReadRequest): Promise<WasRead> {
  try {
    const bytes = Buffer.from(content, 'base64')
    const document = await readerFor(name, bytes, limits).read(bytes, { name, limits })
    return { type: 'read', document }
  } catch (error) {
    isRefused = true
    if (!(error instanceof EchelonError)) throw error
    return { type: 'refused', code: error.code, message: error.message, details: error.details }
  }
}
