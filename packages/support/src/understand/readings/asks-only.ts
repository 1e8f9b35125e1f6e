import { CONFIRMATION } from '../../turn/dialogue.ts'
import { requestSentences } from '../clauses.ts'
import { type Command, lowest, readAs, type Reading, type StartTask, tasksOf } from '../command.ts'
import { isConditional, isHypothetical } from '../directives.ts'
import { isActing, type Lesson, SURE } from '../lesson.ts'
import { asksUntilWhen } from '../questions/until-when.ts'
import { partsOf } from '../read-questions.ts'
import { wishesOf } from '../read-wishes.ts'
import { REFUND } from '../../dialogue/known-intents.ts'

/** "If she doesn't like it, until when can it go back?" only asks something, which may be answered. */
export function hypothetical(text: string, lesson: Lesson): Reading | null {
  if (!isHypothetical(text) || asksBeside(text, lesson)) return null
  const asked = wishesOf(requestSentences(text), lesson)
  const isHarmless = asked.length > 0 && !isActing(asked, lesson) && lowest(asked) >= SURE
  return isHarmless
    ? readAs(asked, 'it only asks', lowest(asked))
    : readAs([{ type: 'ask-knowledge', question: text }], 'it asks what would be')
}

/** "I need the bill for the desk, and what happens if I'm not in?": what would be is one of several questions. */
function asksBeside(text: string, lesson: Lesson): boolean {
  const commands = partsOf(text, lesson)?.commands ?? []
  return commands.length > 1 && !isActing(tasksOf({ commands }), lesson)
}

/** "Don't ship it until next week" cancels nothing, and depends on nothing: the rules say whether it can wait. */
export const heldBack = (text: string, { context }: Lesson): Reading | null =>
  context.dialogue.open === null && HOLDS_BACK.test(text)
    ? readAs([{ type: 'ask-knowledge', question: HOLD_BACK }], 'it wants an order held back')
    : null

/** A message in the words of a request that only asks for the rules, or sets a condition. */
export function asksOnly(
  text: string,
  wishes: readonly [StartTask, ...StartTask[]],
  lesson: Lesson,
): Reading | null {
  const [first] = wishes
  if (isActing([first], lesson) && asksUntilWhen(text)) {
    const rule = `until when can I ${first.intentId.replaceAll('_', ' ')}`
    return readAs([{ type: 'ask-knowledge', question: rule }], 'it asks until when')
  }
  if (!isActing(wishes, lesson)) return null
  if (ASKS_WHAT.test(text)) {
    return readAs([{ type: 'ask-knowledge', question: text }], 'it asks what the rules are')
  }
  return isConditional(text) ? onCondition(text, wishes, lesson) : null
}

/** What depends on something is not done; before the confirmation of a refund, a question asks what the rules allow. */
function onCondition(text: string, wishes: readonly StartTask[], lesson: Lesson): Reading {
  const { open } = lesson.context.dialogue
  const isOfOpen = open?.param === CONFIRMATION && open.intentId === wishes[0]?.intentId
  if (isOfOpen && text.includes('?') && open.intentId === REFUND) {
    const question: Command = { type: 'ask-knowledge', question: WHEN_REFUNDED }
    return readAs([question], 'it asks what the rules allow')
  }
  const harmless = wishes.filter((wish) => !isActing([wish], lesson))
  return readAs([...harmless, { type: 'conditional' }], 'it depends on something')
}

const HOLDS_BACK =
  /\b(?:don'?t|dont|do not|not) (?:ship|send|deliver|dispatch)\b[^.!?]*\b(?:until|till|before)\b/iu
const HOLD_BACK = 'can you hold my order back until a later day'

const WHEN_REFUNDED = 'in which cases can I get my money back'

/** "What's your refund time?" asks for no refund. */
const ASKS_WHAT =
  /^\W*(?:(?:ok|okay|and|so|hi|hello|hey|but)[\s,]+)*what(?:'?s| is| are)\s+(?:your|ur)\b/iu
