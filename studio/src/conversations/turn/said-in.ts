import type { RunEndView } from 'echelon/client'
import type { Moment } from '../../run/story/moment.ts'

/** The texts for the user: those that were said on the way, and the answer unless it was said. */
export function saidIn(story: readonly Moment[], end: RunEndView | null): readonly string[] {
  const said = story.flatMap((moment) => (moment.type === 'said' ? [moment.text.trim()] : []))
  if (end === null) {
    const writing = story.findLast((moment) => moment.type === 'model')
    // A plan is for the tools; the words of a model are for the user.
    const text = writing?.plan === undefined ? (writing?.text.trim() ?? '') : ''
    return text === '' ? said : [...said, text]
  }
  const answer = (end.text === '' ? (end.detail ?? '') : end.text).trim()
  // An agent may repeat in its answer what it has said.
  const rest = said.reduce((left, text) => left.replace(text, '').trim(), answer)
  return rest === '' ? said : [...said, rest]
}
