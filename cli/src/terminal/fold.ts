import { isJsonObject, type Json } from 'echelon/runtime'

/** Lists and texts shorter than this are not folded. */
const SHORT_LIST = 200
const SHORT_TEXT = 600

/** Items and characters shown of folded values. */
const FIRST_ITEMS = 2
const FIRST_CHARACTERS = 400

export interface Folding {
  /** Whether an item is a message or call: lists of these and their `text` stay whole. */
  readonly isSaid?: (item: Json) => boolean
}

/**
 * Shortens long lists and texts in tool input and output, at any depth, to their beginning and a count
 * of the rest. Short values are unchanged.
 */
export function fold(value: Json, { isSaid = () => false }: Folding = {}): Json {
  if (typeof value === 'string') return foldText(value)
  if (typeof value !== 'object' || value === null) return value
  const folded = (item: Json): Json => fold(item, { isSaid })
  if (isJsonObject(value)) {
    const own = isSaid(value) ? 'text' : undefined
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [name, name === own ? field : folded(field)]),
    )
  }
  const items = value.map(folded)
  const more = items.length - FIRST_ITEMS
  if (more < 2 || value.some(isSaid) || JSON.stringify(value).length <= SHORT_LIST) return items
  return [...items.slice(0, FIRST_ITEMS), `… ${more.toLocaleString('en-US')} more`]
}

function foldText(text: string): string {
  if (text.length <= SHORT_TEXT) return text
  const more = text.length - FIRST_CHARACTERS
  return `${text.slice(0, FIRST_CHARACTERS)}… ${more.toLocaleString('en-US')} more characters`
}
