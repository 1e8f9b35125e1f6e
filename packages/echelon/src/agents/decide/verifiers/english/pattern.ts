/** A piece of a text; patterns are written in kinds, which hold no blanks. */
interface Piece {
  readonly kind: string
}

/**
 * Matches pieces with a pattern and returns the named ones, or undefined. A pattern is words separated by spaces:
 * `owner:thing have|gain n:number each?` is a thing, called owner, then either verb, then a number, called n, and
 * optionally "each". The whole clause must match.
 */
export function match<One extends Piece>(
  pattern: string,
  pieces: readonly One[],
): Readonly<Record<string, One>> | undefined {
  const shape = pieces.map(({ kind }) => `${kind} `).join('')
  const groups = compiled(pattern).exec(shape)?.indices?.groups
  if (groups === undefined) return undefined
  const named: Record<string, One> = {}
  for (const [name, span] of Object.entries(groups)) {
    const piece = span === undefined ? undefined : pieces[spaces(shape, span[0])]
    if (piece !== undefined) named[name] = piece
  }
  return named
}

function spaces(shape: string, end: number): number {
  return shape.slice(0, end).split(' ').length - 1
}

const cache = new Map<string, RegExp>()

function compiled(pattern: string): RegExp {
  const known = cache.get(pattern)
  if (known !== undefined) return known
  const parts = pattern.split(' ').map((part) => {
    const [, name, kinds = '', optional = ''] = /^(?:(\w+):)?(.*?)(\?)?$/.exec(part) ?? []
    return `${name === undefined ? '(?:' : `(?<${name}>`}(?:${kinds}) )${optional}`
  })
  // An empty named group, so that `groups` exists even in a match without names.
  const made = new RegExp(`^(?<start>)${parts.join('')}$`, 'd')
  cache.set(pattern, made)
  return made
}
