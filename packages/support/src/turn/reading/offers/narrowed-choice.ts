import { onlyOf } from '../../../customer/read-choices.ts'
import { namedOrder } from '../../../customer/resolution.ts'
import { ORDER } from '../../../customer/resolve-order.ts'
import { readAs, type Reading } from '../../../understand/command.ts'
import { subjectsIn } from '../../../understand/replies/plain-reply.ts'
import type { SupportState } from '../../support-state.ts'

/** "Only the plate. The cup I can live with", where several things are offered for both: the same choice, of the one. */
export function narrowedChoice(state: SupportState): Reading | null {
  const { open, choices } = state.dialogue
  const [first, ...others] = choices
  const said = onlyOf(state.text)
  if (open !== null || first === undefined || others.length === 0 || said === null) return null
  if (state.text.includes('?') || subjectsIn(state.text).length > 0) return null
  const named = namedOrder({ ...state, text: said })
  if (named === null || named !== first.params[ORDER]) return null
  const readings = choices.map(({ intentId }) => intentId)
  return readAs([{ type: 'unclear', readings }], 'it says which thing is meant', 1)
}
