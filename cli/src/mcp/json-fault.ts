import { clean } from '../terminal/clean.ts'

/** Line and reason of a JSON error, without the text there, which may be a secret. */
export function jsonFault(text: string): string {
  const message = faultOf(text) ?? ''
  const line = /\(line (\d+) column/.exec(message)?.[1] ?? lineOf(text)
  const why = message.replace(/ in JSON at .*$|, (?:\.\.\.)?".*$/s, '').replace(/\s+/g, ' ')
  return `line ${line}: ${clean(why)}`
}

/** JSON tokens do not span lines, so a prefix that ends at the faulty line fails in the same way. */
function lineOf(text: string): number {
  const lines = text.trimEnd().split('\n')
  const faulty = lines.findIndex((_, index) =>
    faultOf(lines.slice(0, index + 1).join('\n'))?.startsWith('Unexpected token'),
  )
  return faulty === -1 ? lines.length : faulty + 1
}

function faultOf(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
