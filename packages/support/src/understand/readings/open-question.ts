import { hesitates } from '../../dialogue/veto.ts'
import { CONFIRMATION } from '../../turn/dialogue.ts'
import { clausesOf } from '../clauses.ts'
import { type Command, readAs, type Reading } from '../command.ts'
import { isConditional } from '../directives.ts'
import { intentOf, type Lesson } from '../lesson.ts'
import { asks } from '../read-questions.ts'
import { answered } from '../read-reply.ts'

/** An answer from a closed list of values. */
export function answeredFromList(text: string, lesson: Lesson): Reading | null {
  const { open } = lesson.context.dialogue
  const param = open?.param ?? null
  const spec =
    open === null || param === null ? undefined : intentOf(lesson, open.intentId)?.params[param]
  return spec === undefined || Object.keys(spec.values).length === 0 ? null : answered(text, lesson)
}

/** Neither yes nor no to the open confirmation. */
export function hesitant(text: string, { context }: Lesson): Reading | null {
  if (context.dialogue.open?.param !== CONFIRMATION) return null
  if (hesitates(text)) {
    const questions = clausesOf(text).filter(asks).slice(0, 1)
    const asked = questions.map((question): Command => ({ type: 'ask-knowledge', question }))
    return readAs(asked.length > 0 ? asked : [{ type: 'wait' }], 'it hesitates')
  }
  return isConditional(text) && !text.includes('?') && !HOW_LONG.test(text)
    ? readAs([{ type: 'conditional' }], 'it depends on something')
    : null
}

/** "How many days until I have my money" depends on nothing. */
const HOW_LONG = /^\W*(?:(?:and|so|but|ok|okay)[\s,]+)*how (?:many|long|soon)\b/iu
