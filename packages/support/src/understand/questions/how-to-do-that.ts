import { readAs, type Reading } from '../command.ts'
import { LEAST, type Lesson } from '../lesson.ts'
import { documentQuestion, isOfDocuments } from '../read-questions.ts'

const ASKS_HOW =
  /^(.*\S)[.,;!]+\s+(?:and |so )?(?:where|how|who with|what's the way)(?: exactly)? (?:do|can|could|would|should|must|to|does) ?(?:i|we|one)? ?(?:best |go about )?(?:do|doing|leave|send|post|write|find|work) ?(?:that|this|it|one)?(?: then| here| best)?\W*$/iu

/** What the customer is going to do. */
const AIM =
  /\b(?:i(?:'ll| will|'d (?:like|love|rather|prefer) to| would (?:like|love|rather|prefer) to|'d rather| would rather|'m going to| want to| need to|'m gonna)|let me) (?:just |then |at least |instead )*(.+?)(?: then| instead)?$/iu

/** "I'd like to give an opinion on it. Where do I do that?": the sentence before says what is asked for. */
export function howToDoThat(text: string, lesson: Lesson): Reading | null {
  const [, before = ''] = lesson.context.dialogue.open === null ? (ASKS_HOW.exec(text) ?? []) : []
  const [, aim = ''] = AIM.exec(before.split(/[.!?;]+\s+/u).at(-1) ?? '') ?? []
  if (aim === '') return null
  const sentence = `how do I ${aim}`
  const { label, confidence } = lesson.classifier.classify(sentence)
  return isOfDocuments(label) && confidence >= LEAST
    ? readAs([documentQuestion(sentence, label, lesson)], 'it asks how to do what it says')
    : null
}
