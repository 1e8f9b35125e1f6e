import type { RunEventView } from 'echelon/client'
import { textOf } from '../../run/story/fields.ts'

/** A draft that was pulled back. */
export interface Drift {
  readonly key: string
  /** Such as `non_goal: sycophancy`. */
  readonly outcome: string
  readonly led: 'revised' | 'withheld'
}

/** The drafts of a turn that drifted from the intent. */
export const driftsIn = (events: readonly RunEventView[]): readonly Drift[] =>
  events.flatMap(({ id, event }) => {
    if (event.type !== 'note' || event.note.stage !== 'drift') return []
    const { data } = event.note
    const led = textOf(data, 'led_to') === 'withheld' ? 'withheld' : 'revised'
    return [{ key: id, outcome: textOf(data, 'outcome') ?? '', led }]
  })

/** Says how many drafts the executor wrote in a turn. */
export function draftsTold(events: readonly RunEventView[]): string {
  const drafts = events.filter(
    ({ event }) =>
      event.type === 'step-start' && event.effect === 'generate' && event.actor === 'executor',
  ).length
  if (drafts === 0) return 'No model wrote a draft: rules gave the answer.'
  return drafts === 1 ? 'One draft was written.' : `${drafts} drafts were written.`
}
