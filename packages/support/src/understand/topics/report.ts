import { clausesOf } from '../clauses.ts'
import type { Command } from '../command.ts'
import { OR } from '../learned-classifier.ts'
import { type Lesson, SURE } from '../lesson.ts'
import { thingsIn } from '../read-wishes.ts'

type Report = Extract<Command, { readonly type: 'unclear' }>

/** Confidence at which one sentence says what a story is about. A sentence that names a bought thing needs less. */
const SURE_IN_STORY = 0.75

/** What a label of several intents stands for: a problem that one of them may mend. `null` for other labels. */
export function reportOf(label: string | null, { context }: Lesson): Report | null {
  if (label?.includes(OR) !== true) return null
  const readings = label.split(OR).filter((id) => context.intents.some((one) => one.id === id))
  return { type: 'unclear', readings, isReport: true }
}

/** "I would like to know where the jeans are" asks, and reports nothing. */
export const asksForFacts = (text: string): boolean =>
  /\b(?:know|tell me|wonder(?:ing)?|find out|see|check) (?:where|when|how|whether|which|who)\b/iu.test(
    text,
  )

/**
 * The report of a problem within what is said around it: a greeting, a story, a question.
 * @param ofThing only where it names a thing that was bought
 */
export function reportIn(text: string, lesson: Lesson, ofThing = false): Report | null {
  const sentences = text.split(/(?<=[.!?\n])\s+/u).filter((one) => !asksForFacts(one))
  const parts = [...sentences, ...sentences.flatMap(clausesOf)].filter(
    (part) => !part.includes('?'),
  )
  const found = parts.flatMap((part) => {
    const { label, confidence } = lesson.classifier.classify(part)
    const report = reportOf(label, lesson)
    const isOfThing = thingsIn(part, lesson).length > 0
    if (ofThing && !isOfThing) return []
    return report === null || confidence < (isOfThing ? SURE : SURE_IN_STORY)
      ? []
      : [{ report, confidence }]
  })
  return found.toSorted((a, b) => b.confidence - a.confidence)[0]?.report ?? null
}
