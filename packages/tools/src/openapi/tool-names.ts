import type { Operation } from 'oas/operation'

const MAX_CHARACTERS = 64

/**
 * Maps valid, unique tool names to operations. A name is made of the operation's id, if it has one.
 */
export function toolNames(
  operations: readonly Operation[],
  prefix: string,
): ReadonlyMap<string, Operation> {
  const named = new Map<string, Operation>()
  // The next suffix of each name: a document may use one name very often.
  const numbers = new Map<string, number>()
  for (const operation of operations) {
    const name = valid(`${prefix}${operation.getOperationId()}`)
    let unique = name
    let number = numbers.get(name) ?? 2
    for (; named.has(unique); number++) {
      const suffix = `_${number}`
      unique = `${name.slice(0, MAX_CHARACTERS - suffix.length)}${suffix}`
    }
    numbers.set(name, number)
    named.set(unique, operation)
  }
  return named
}

function valid(text: string): string {
  const word = text.replaceAll(/[^a-zA-Z0-9_-]+/g, '_').replaceAll(/^_+|_+$/g, '')
  return (/^[a-zA-Z]/.test(word) ? word : `call_${word}`).slice(0, MAX_CHARACTERS)
}
