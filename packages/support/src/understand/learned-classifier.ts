import {
  type Classifier,
  type ClassifierModel,
  classifierOf,
  type LabeledText,
  train,
} from 'echelon/internal/classify'
import { withPlainItems } from '../customer/item-words.ts'
import type { Intent } from '../intent.ts'
import type { Ambiguous, Topic } from '../intents-registry.ts'
import type { FollowUpExamples } from './afterwards/kinds.ts'
import { keyOf, type TrainedModels } from './learning/trained-models.ts'
import type { ReplyExample } from './replies/kinds.ts'
import { rowsOfReplies } from './replies/learned-replies.ts'
import { BEYOND, IDLE, QUESTION, topicLabel } from './read-questions.ts'

/** Between the intents of an ambiguous label. */
export const OR = '|'

/** What the embedded reader learns besides the intents. */
export interface FurtherExamples {
  /** Questions that documents answer. */
  readonly questions?: readonly string[]
  /** Messages that may mean one intent or another, which are offered. */
  readonly ambiguous?: readonly Ambiguous[]
  /** Subjects of the documents. */
  readonly topics?: readonly Topic[]
  /** Questions and wishes about the shop that nothing here answers. */
  readonly beyond?: readonly string[]
  /** What asks for nothing. */
  readonly idle?: readonly string[]
  /** What only makes sense after what came before. */
  readonly followUps?: FollowUpExamples
  /** Replies to something that is open. */
  readonly replies?: readonly ReplyExample[]
  /** Classifiers that were trained on these examples before. */
  readonly models?: TrainedModels
}

/** The classifiers used last, by their training data. */
const recentClassifiers = new Map<string, Classifier>()
const MOST_KEPT = 4

/** Trains a classifier of intents, or takes the kept one of the same examples. */
export const learnedClassifier = (
  intents: readonly Intent[],
  outOfScope: readonly string[],
  further: FurtherExamples,
): Classifier => remembered(rowsOfRequests(intents, outOfScope, further), further.models)

/** The examples by which requests are told apart. */
export function rowsOfRequests(
  intents: readonly Intent[],
  outOfScope: readonly string[],
  { questions = [], ambiguous = [], topics = [], beyond = [], idle = [] }: FurtherExamples,
): readonly LabeledText[] {
  return [
    ...intents.flatMap(({ id, examples, messages = [] }) =>
      [...examples, ...messages].map((text) => ({ text, label: id })),
    ),
    ...questions.map((text) => ({ text, label: QUESTION })),
    ...ambiguous.flatMap(({ offer, examples }) =>
      examples.map((text) => ({ text, label: offer.join(OR) })),
    ),
    ...topics.flatMap((topic) =>
      topic.examples.map((text) => ({ text, label: topicLabel(topic) })),
    ),
    ...beyond.map((text) => ({ text, label: BEYOND })),
    ...idle.map((text) => ({ text, label: IDLE })),
    ...outOfScope.map((text) => ({ text, label: null })),
  ]
}

/** Examples of each intent, and of questions, that a follow-up is told from. */
const MOST_OF_OTHERS = 150

/** The label of messages that do not follow up an answer. */
const OWN_REQUEST = '-'

const learnedFrom = (
  rows: readonly LabeledText[],
  { models }: FurtherExamples,
): Classifier | undefined => (rows.length === 0 ? undefined : remembered(rows, models))

/** Trains a classifier of what follows up an answer; `undefined` without examples. */
export const followUpClassifier = (
  intents: readonly Intent[],
  further: FurtherExamples,
): Classifier | undefined => learnedFrom(rowsOfFollowUps(intents, further), further)

/** The examples by which follow-ups are told from requests; none without examples of follow-ups. */
export function rowsOfFollowUps(
  intents: readonly Intent[],
  { questions = [], beyond = [], followUps = {} }: FurtherExamples,
): readonly LabeledText[] {
  const rows = Object.entries(followUps).flatMap(([label, examples]) =>
    (examples ?? []).map((text) => ({ text, label })),
  )
  if (rows.length === 0) return []
  // Before any answer, a follow-up is a question of its own: the examples may list it as both.
  const followed = new Set(rows.map(({ text }) => text))
  const others = [
    ...intents.map(({ examples, messages = [] }) => [...examples, ...messages]),
    questions,
    beyond,
  ]
  const requests = others.flatMap((examples) => {
    const every = Math.max(1, Math.floor(examples.length / MOST_OF_OTHERS))
    return examples.filter((_, index) => index % every === 0).slice(0, MOST_OF_OTHERS)
  })
  const own = requests.filter((text) => !followed.has(text))
  return [...rows, ...own.map((text) => ({ text, label: OWN_REQUEST }))]
}

/** Trains a classifier of replies; `undefined` without examples. */
export const replyClassifier = (
  intents: readonly Intent[],
  further: FurtherExamples,
): Classifier | undefined => learnedFrom(replyRows(intents, further), further)

/** The examples by which replies are told apart; none without examples of replies. */
export const replyRows = (
  intents: readonly Intent[],
  { replies = [], questions = [], beyond = [], idle = [] }: FurtherExamples,
): readonly LabeledText[] =>
  rowsOfReplies(replies, {
    others: [...intents.map(({ examples, messages = [] }) => [...examples, ...messages]), idle],
    questions: [...questions, ...beyond],
  })

/** Trains a classifier of customers' messages: goods count as goods, whatever they are. */
export const trained = (rows: readonly LabeledText[]): Classifier =>
  train(rows.map(({ text, label }) => ({ text: withPlainItems(text), label })))

const knownOrTrained = (
  rows: readonly LabeledText[],
  model: ClassifierModel | undefined,
): Classifier => (model === undefined ? trained(rows) : classifierOf(model))

function remembered(
  rows: readonly LabeledText[],
  models: TrainedModels = () => undefined,
): Classifier {
  const key = keyOf(rows)
  const classifier = recentClassifiers.get(key) ?? knownOrTrained(rows, models(key))
  recentClassifiers.delete(key)
  recentClassifiers.set(key, classifier)
  for (const oldest of recentClassifiers.keys()) {
    if (recentClassifiers.size > MOST_KEPT) recentClassifiers.delete(oldest)
  }
  return classifier
}
