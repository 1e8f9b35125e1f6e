import { isJsonObject, type Json } from 'echelon/runtime'

/** A list or a text that takes less room than this is short, and never folded. */
const SHORT_LIST = 200
const SHORT_TEXT = 600

/** So much of what is folded is shown. */
const FIRST_ITEMS = 2
const FIRST_CHARACTERS = 400

export interface Folding {
  /** What was said and done, no data: a list of it stays whole, and so does its `text`. */
  readonly isSaid?: (item: Json) => boolean
}

/**
 * What tools were given and gave back, with long lists and texts as their beginnings and how much
 * more there is, at any depth. What is short comes back as it is.
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
