import { ORDER } from '../customer/resolve-order.ts'
import type { Saying } from '../dialogue/work.ts'
import { nameOfIntent, undoOf } from '../intent.ts'
import { fill } from '../wording/fill.ts'
import { inLanguage } from '../language/other-languages.ts'
import * as sentences from '../wording/sentences.ts'
import { doneHere } from './done-here.ts'
import { TAKE_BACK } from './hand-over.ts'
import type { SupportSettings } from './support-settings.ts'
import type { ActiveIntent, SupportState } from './support-state.ts'

/** The text of a saying; empty if the question that follows says it all. */
export function textOfSaying(
  settings: SupportSettings,
  state: SupportState,
  saying: Saying,
): string {
  switch (saying.about) {
    case 'small-talk':
      return saying.kind === 'capabilities'
        ? sentences.capabilities(namesOf(settings, state))
        : (isAsked(state) ? sentences.BESIDE_QUESTION : sentences.SMALL_TALK_ANSWERS)[saying.kind]
    case 'language':
      return inLanguage(saying.language)
    case 'undo':
      return notUndone(settings, state)
    case 'only-done':
      return sentences.onlyDone(doneHere(settings, state))
    case 'repeat':
      return lastAnswer(state)
    case 'waiting':
      return waitingFor(settings, state) || lastDecision(state) || sentences.NOTHING_OF_YOURS_WAITS
    case 'dropped':
      return sentences.DROPPED
    case 'withdrawn':
      return sentences.WITHDRAWN
    case 'replaced':
      return sentences.REPLACED
    case 'idle':
      return sentences.IDLE
    case 'nothing-asked':
      return sentences.NOTHING_ASKED
    case 'noted':
      return sentences.NOTED
    case 'hold':
      return sentences.HOLD
    case 'wrong':
      return sentences.WHAT_INSTEAD
    case 'conditional':
      return sentences.NO_CONDITIONS
    case 'later-person':
      return sentences.PERSON_LATER
    case 'taken-back':
      return sentences.TAKEN_BACK
  }
}

/** Whether a question follows that was interrupted. */
const isAsked = ({ dialogue, queue }: SupportState): boolean =>
  dialogue.stack.length > 0 && queue.length === 0

/** What a customer may ask for here, in words. */
const namesOf = (
  { registry, acting }: SupportSettings,
  { eligible }: SupportState,
): readonly string[] =>
  eligible.flatMap((id) => {
    const intent = registry.find(id)
    const isOwn = id === TAKE_BACK || intent === undefined || !acting.includes(intent.tool)
    return isOwn ? [] : [nameOfIntent(intent)]
  })

/** Why what was done last stays done. */
function notUndone({ registry }: SupportSettings, { dialogue }: SupportState): string {
  const { done } = dialogue
  const intent = done === null ? undefined : registry.find(done.intentId)
  return done === null || intent === undefined
    ? sentences.NOTHING_TO_UNDO
    : fill(undoOf(intent), done.params)
}

/** The last answer, without the question at its end that is asked once more anyway. */
function lastAnswer({ history, dialogue }: SupportState): string {
  const last = history.findLast(({ role }) => role === 'agent')?.text ?? ''
  const [open] = dialogue.stack
  const step = open?.execution.steps[open.execution.currentIndex]?.step
  const question = step !== undefined && 'prompt' in step ? step.prompt : ''
  const said = question === '' ? last : last.replace(question, '').trim()
  return said === '' && question === '' ? sentences.NOTHING_SAID_YET : said
}

/** What a person decided last; empty if nobody has decided anything. */
const lastDecision = ({ history }: SupportState): string =>
  history.findLast(({ role, metadata }) => {
    const { id } = metadata
    return role === 'agent' && typeof id === 'string' && id.includes(':review')
  })?.text ?? ''

/** What waits for a person, one sentence each. */
function waitingFor({ registry }: SupportSettings, { dialogue }: SupportState): string {
  return dialogue.blocked
    .map(({ intentId, params }) => {
      const intent = registry.find(intentId)
      const name = intent === undefined ? intentId.replaceAll('_', ' ') : nameOfIntent(intent)
      const order = params[ORDER]
      return sentences.stillWaits(name, typeof order === 'string' ? order : null)
    })
    .join(' ')
}

/** After an answer about an order for which something waits: that it waits. */
export function waitingNote(
  settings: SupportSettings,
  state: SupportState,
  { intentId, params }: ActiveIntent,
): string {
  const intent = settings.registry.find(intentId)
  if (intent === undefined || settings.acting.includes(intent.tool)) return ''
  const { dialogue } = state
  const blocked = dialogue.blocked.filter((one) => one.params[ORDER] === params[ORDER])
  const waiting = waitingFor(settings, { ...state, dialogue: { ...dialogue, blocked } })
  return waiting === '' ? '' : `. ${waiting}`
}
