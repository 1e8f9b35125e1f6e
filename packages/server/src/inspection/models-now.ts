import type { Entry, Started } from 'echelon/runtime'

/** The models of a run by role, after all switches on record. */
export function modelsNow(
  { models }: Started,
  entries: readonly Entry[],
): Readonly<Record<string, string>> {
  const switched = entries.flatMap((entry): [string, string][] =>
    entry.type === 'bound' && entry.path === '' ? [[entry.role, entry.model]] : [],
  )
  return { ...models, ...Object.fromEntries(switched) }
}
