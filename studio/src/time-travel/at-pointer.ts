import type { Json } from 'echelon/client'

/** The value at a JSON pointer, such as `/rounds/0/answer`; `undefined` if it does not exist. */
export function atPointer(value: Json, pointer: string): Json | undefined {
  let at: Json | undefined = value
  for (const part of pointer.split('/').slice(1)) {
    if (typeof at !== 'object' || at === null) return undefined
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    // Neither side has a prototype's properties as data.
    const entry: readonly [string, Json] | undefined = Object.entries(at).find(
      ([name]) => name === key,
    )
    at = entry?.[1]
  }
  return at
}
