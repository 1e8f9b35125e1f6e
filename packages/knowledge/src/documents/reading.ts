import type { ReadDocument, ReadingLimits } from 'echelon/internal/knowledge'
import { EchelonError } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import { readerFor } from './kinds.ts'

/** A document on its way to the process that reads it. */
export interface Reading extends JsonObject {
  readonly name: string
  /** Base64. */
  readonly content: string
  readonly limits: { readonly [Name in keyof ReadingLimits]: number }
}

/** An error of its own class would not be one any more on the other side. */
export type WasRead =
  | { readonly type: 'read'; readonly document: ReadDocument }
  | {
      readonly type: 'refused'
      readonly code: EchelonError['code']
      readonly message: string
      readonly details: JsonObject
    }

let isRefused = false

/** A parser that stopped in the middle of a document is not given another one. */
export const isIntact = (): boolean => !isRefused

/** What the process that reads documents runs. */
export default async function reading({ name, content, limits }: Reading): Promise<WasRead> {
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
