import type { RunEndView } from 'echelon/client'
import type { Moment } from './moment.ts'

/** The models of a run, in the order in which they came in: a task begins on the smallest. */
export function rungsOf(story: readonly Moment[], end: RunEndView | null): readonly string[] {
  const names = story.flatMap((moment) => {
    if (moment.type === 'promotion') return [moment.from, moment.to]
    return moment.type === 'model' ? [moment.model] : []
  })
  const known = [...names, ...(end?.rungs.map(({ model }) => model) ?? [])]
  return [...new Set(known.filter((name) => name !== undefined))]
}
