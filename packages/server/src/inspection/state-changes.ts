import type { PatchOperation } from 'echelon/client'
import type { Json } from 'echelon/runtime'
import fastJsonPatch, { type Operation } from 'fast-json-patch'

/** Compares two states and returns the difference as a JSON patch. Both are already redacted, so the patch is too. */
export function stateChanges(before: Json, after: Json): readonly PatchOperation[] {
  // Wrapped in an object, so that other values can be compared too.
  return fastJsonPatch.compare({ state: before }, { state: after }).flatMap(operationView)
}

const ROOT = '/state'

function operationView(operation: Operation): readonly PatchOperation[] {
  const path = operation.path.slice(ROOT.length)
  switch (operation.op) {
    case 'remove':
      return [{ op: 'remove', path }]
    case 'add':
    case 'replace':
      return [{ op: operation.op, path, value: operation.value }]
    case 'move':
    case 'copy':
    case 'test':
    case '_get':
      // `compare` makes none of these.
      return []
  }
}
