import { isJsonObject, type Json, type JsonObject } from '../../core/value/json.ts'
import type { Cleaner } from './secrets.ts'

/**
 * The parts of a stream without secrets. A secret can be split across parts, so texts are checked
 * as a whole; if something is hidden, the first part holds the remaining text and the others are
 * empty. Raw chunks are omitted, since they repeat the text in pieces that cannot be joined.
 */
export function cleanedParts(parts: readonly Json[], clean: Cleaner): readonly Json[] {
  const kept = parts.filter(isJsonObject).filter(({ type }) => type !== 'raw')
  const whole = new Map<string, string>()
  for (const part of kept) {
    if (isPiece(part)) whole.set(nameOf(part), (whole.get(nameOf(part)) ?? '') + part.delta)
  }
  const hidden = new Map(
    [...whole].flatMap(([name, text]) => {
      const left = clean(text)
      return left === text ? [] : [[name, left] as const]
    }),
  )
  return kept.map((part) => {
    if (!isPiece(part)) return clean(part)
    const { delta, ...rest } = part
    const name = nameOf(part)
    const left = hidden.get(name)
    if (left !== undefined) hidden.set(name, '')
    return { ...clean(rest), delta: left ?? delta }
  })
}

interface Piece extends JsonObject {
  readonly delta: string
}

const isPiece = (part: JsonObject): part is Piece => typeof part['delta'] === 'string'

/** Parts of one text share its id and kind. */
const nameOf = ({ type, id }: JsonObject): string => JSON.stringify([type, id])
