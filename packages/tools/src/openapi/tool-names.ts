import type { Operation } from 'oas/operation'

const MOST_CHARACTERS = 64

/** Operations by names that a tool can have, no two the same: the id of the operation where it has one. */
export function toolNames(
  operations: readonly Operation[],
  prefix: string,
): ReadonlyMap<string, Operation> {
  const named = new Map<string, Operation>()
  // Where to go on with: a document may have very many of one name.
  const numbers = new Map<string, number>()
  for (const operation of operations) {
    const name = valid(`${prefix}${operation.getOperationId()}`)
    let unique = name
    let number = numbers.get(name) ?? 2
    for (; named.has(unique); number++) {
      const suffix = `_${number}`
      unique = `${name.slice(0, MOST_CHARACTERS - suffix.length)}${suffix}`
    }
    numbers.set(name, number)
    named.set(unique, operation)
  }
  return named
}

function valid(text: string): string {
  const word = text.replaceAll(/[^a-zA-Z0-9_-]+/g, '_').replaceAll(/^_+|_+$/g, '')
  return (/^[a-zA-Z]/.test(word) ? word : `call_${word}`).slice(0, MOST_CHARACTERS)
}
