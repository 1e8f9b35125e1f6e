import { readAs, type Reading } from '../../command.ts'
import type { Lesson } from '../../lesson.ts'
import { ofSendingBack } from '../../readings/of-documents.ts'
import { chosen } from '../chosen.ts'
import { picked } from '../pick-choice.ts'
import { saidAndAsked } from '../said-and-asked.ts'

/** "The first one. Do I keep it then?": a choice, and beside it what has to be sent back. */
export function chosenAndAsked(text: string, lesson: Lesson): Reading | null {
  const { said, asked } = saidAndAsked(text)
  if (said === '' || asked === '' || lesson.context.dialogue.choices.length < 2) return null
  const back = ofSendingBack(asked, lesson)
  const choice = back === null ? null : (chosen(said, lesson) ?? picked(said, lesson))
  return back === null || choice === null
    ? null
    : readAs([...back.commands, ...choice.commands], 'it chooses, and asks what is sent back')
}
