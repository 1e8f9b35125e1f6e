import { clausesOf } from './clauses.ts'
import { BY_RULE, type Command, lowest, type StartTask } from './command.ts'
import { LEAST, type Lesson, SURE } from './lesson.ts'
import { wishesOf } from './read-wishes.ts'

/** The label of what neither data nor documents answer. */
export const BEYOND = '!'
/** The label of questions that documents answer. */
export const QUESTION = '?'

/** More questions in one message are left to the next. */
const MOST_QUESTIONS = 3

/** The forms of questions, which documents may answer. */
const ASKS =
  /^(?:(?:hi|hello|hey|ok|so|and|but|also|then|please|well|actually|wait|just)[\s,.!]+)*(?:(?:until|till|since|by|for|in|at|on|to|from) (?:what|when|which|how)|what|what's|whats|when|where|why|who|which|how|do(?! (?:not|it|that|this|so|sth|something|me)\b)|does|did|is|are|can|could|will|would|should|may)\b/iu

/** Whether a text has the form of a question. */
export const asks = (text: string): boolean => ASKS.test(text)

/** Requests, and questions for the documents, that stand side by side in one message. */
export interface Parts {
  readonly commands: readonly Command[]
  readonly confidence: number
}

/**
 * Takes a message apart that holds a question for the documents beside something else: "where is my lamp, and what
 * does a return cost?" is both. `null` if it holds only one thing.
 */
export function partsOf(text: string, lesson: Lesson): Parts | null {
  const clauses = clausesOf(text)
  const questions = clauses
    .filter((clause) => asks(clause) && isQuestion(clause, lesson))
    .slice(0, MOST_QUESTIONS)
  if (questions.length === 0 || clauses.length === 1) return null
  const rest = clauses.filter((clause) => !questions.includes(clause)).join(', ')
  const wishes = sureWishes(rest, lesson)
  const [first] = questions
  // "I want to track it, how do I do that?" asks for nothing besides.
  const isAlone = wishes.length === 0 && questions.length === 1
  if (isAlone && (!isSure(first ?? '', lesson) || (isShort(first ?? '') && isReport(rest, lesson))))
    return null
  const asked = questions.map((question): Command => ({
    type: 'ask-knowledge',
    question,
    ...(lesson.classifier.classify(question).label === BEYOND && { isBeyond: true }),
  }))
  return { commands: [...wishes, ...asked], confidence: Math.min(BY_RULE, lowest(wishes)) }
}

/** The requests of a text, or its questions: what may follow a yes or a no. */
export function requestsIn(text: string, lesson: Lesson): readonly Command[] {
  const parts = partsOf(text, lesson)
  if (parts !== null) return parts.commands
  const wishes = sureWishes(text, lesson)
  if (wishes.length > 0) return wishes
  return isQuestion(text, lesson) ? [{ type: 'ask-knowledge', question: text }] : []
}

/** Requests that are sure enough to change the subject. */
const sureWishes = (text: string, lesson: Lesson): readonly StartTask[] =>
  wishesOf(text, lesson).filter(({ confidence }) => confidence >= SURE)

const isShort = (text: string): boolean => text.split(/\s+/).length <= 5

/** "It came with a dent, what are my options?" asks about the dent, which one of several requests may mend. */
const isReport = (rest: string, { classifier }: Lesson): boolean => {
  const { label, confidence } = classifier.classify(rest)
  return label !== null && label !== QUESTION && confidence >= LEAST
}

const isSure = (question: string, { classifier }: Lesson): boolean =>
  classifier.classify(question).confidence >= SURE

function isQuestion(text: string, { classifier }: Lesson): boolean {
  const { label, confidence } = classifier.classify(text)
  return (label === QUESTION || label === BEYOND) && confidence >= (asks(text) ? LEAST : SURE)
}
