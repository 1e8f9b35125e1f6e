import type { Classifier } from 'echelon/internal/classify'
import type { Intent } from '../intent.ts'
import type { Topic } from '../intents-registry.ts'
import { openersOf } from './clauses.ts'
import { BY_RULE, type Reading, type StartTask } from './command.ts'
import type { ReadingContext } from './reader.ts'

/** A trained reader, and the context of a message. */
export interface Lesson {
  readonly classifier: Pick<Classifier, 'classify'>
  /** Tells what follows up an answer; absent without examples of it. */
  readonly followUps?: Pick<Classifier, 'classify'> | undefined
  /** Tells what a reply to something open is; absent without examples of it. */
  readonly replies?: Pick<Classifier, 'classify'> | undefined
  /** The first words of examples, by intent. */
  readonly openers: ReadonlyMap<string, ReadonlySet<string>>
  readonly topics: readonly Topic[]
  readonly context: ReadingContext
}

/** How a text is read. */
export type ReadText = (text: string, lesson: Lesson) => Reading

/** Minimum confidence for any intent. */
export const LEAST = 0.35
/** Confidence at which a text may change the subject of the conversation. */
export const SURE = 0.6

export const intentOf = ({ context }: Lesson, id: string): Intent | undefined =>
  context.intents.find((intent) => intent.id === id)

const NO_OPENERS: ReadonlySet<string> = new Set()

export const openersFor = ({ openers }: Lesson, intentId: string): ReadonlySet<string> =>
  openers.get(intentId) ?? NO_OPENERS

export const openersByIntent = (
  intents: readonly Intent[],
): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(intents.map(({ id, examples }) => [id, openersOf(examples)]))

export const byRule = (intentId: string, params: StartTask['params']): StartTask => ({
  type: 'start-task',
  intentId,
  params,
  confidence: BY_RULE,
})

/** Whether any of the requests would change something. */
export const isActing = (wishes: readonly StartTask[], lesson: Lesson): boolean =>
  wishes.some(({ intentId }) => intentOf(lesson, intentId)?.confirm === true)

/** Confidence at which the learned classifier is believed over the words that other readings look for. */
export const CERTAIN = 0.85

/** The intent that a text reads like with at least this confidence; `null` for none, and for what is no intent. */
export function intentRead(text: string, lesson: Lesson, least: number = SURE): Intent | null {
  const { label, confidence } = lesson.classifier.classify(text)
  return label === null || confidence < least ? null : (intentOf(lesson, label) ?? null)
}
