import { CONFIRMATION } from '../../turn/dialogue.ts'
import { readAs, type Reading } from '../command.ts'
import { isActing, type Lesson, type ReadText } from '../lesson.ts'

/** Longer texts are stories. */
const MOST_CHARACTERS = 300

const CAN_NOT = "(?:can(?:'?t|not| not)|could(?:n'?t| not)|won'?t)"
const DONE =
  '(?:be (?:cancell?ed|stopped|done|changed|refunded|returned|reversed|called off|sent back)|do (?:that|it|this)|cancel|stop|change|refund)'

/** "If that's too late", "in case it can't be stopped": what is wanted first is not possible. */
const IMPOSSIBLE = new RegExp(
  `\\b(?:in case|if|should)\\b (?:(?:it|that|this|they|you|u|i|we|the \\p{L}+|my \\p{L}+|cancell?\\p{L}*)(?:'?s| is| are| was| were| has| have|'ve)? ?(?:already |just )*(?:${CAN_NOT} ${DONE}|${CAN_NOT}(?=\\s*(?:$|[,.;!?]))|(?:is|are|was|were)?(?:n'?t| not|no longer) (?:be )?(?:possible|an option|doable|allowed)|(?:be )?(?:too late|impossible)(?! for (?!(?:that|this|it)\\b))|(?:been )?(?:already )?(?:shipped|sent(?! back)|left|gone|on (?:its|the) way|out)(?: already)?(?=\\s*(?:$|[,.;!?]))|doesn'?t work|does not work|fails)|not(?: possible)?(?=\\s*(?:$|[,.;!?])))`,
  'iu',
)

/** What leads to the other wish. */
const AND = /(?:,\s*|\s+)(?:and|or|but|else|otherwise)\b/giu

/**
 * "Cancel it, and change the address in case it can't be cancelled": the first wish depends on nothing, and is read as
 * if it were said alone. Whether it is possible, the rules say; the other one is only wanted where it is not.
 */
export const withFallback =
  (read: ReadText) =>
  (text: string, lesson: Lesson): Reading | null => {
    const { open } = lesson.context.dialogue
    const first = text.length > MOST_CHARACTERS ? text : withoutFallback(text)
    if (first === text || first === '' || open?.param === CONFIRMATION) return null
    const reading = read(first, lesson)
    const [wish, ...more] = reading.commands
    const isWish = wish?.type === 'start-task' && more.length === 0 && isActing([wish], lesson)
    return isWish
      ? readAs([{ ...wish, said: first }], `it says what comes first: ${reading.reasoning}`)
      : null
  }

/** A text without what it wants where its first wish is not possible. */
function withoutFallback(text: string): string {
  const [first = '', ...rest] = text.split(/(?<=[.!?;])\s+/u)
  return [withoutOther(first), ...rest.map(withoutOther)].filter((one) => one !== '').join(' ')
}

function withoutOther(sentence: string): string {
  const at = IMPOSSIBLE.exec(sentence)?.index
  if (at === undefined) return sentence
  const before = sentence.slice(0, at)
  if (
    !/[\p{L}]{3}/u.test(before.replaceAll(/\b(?:and|or|but|else|otherwise|so|then|also)\b/giu, ''))
  ) {
    return ''
  }
  const cut = [...before.matchAll(AND)].at(-1)?.index
  return cut === undefined ? sentence : before.slice(0, cut).trim()
}
