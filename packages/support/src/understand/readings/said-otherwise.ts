import { isCorrection } from '../phrases.ts'
import { type Reading, isUnclear, readAs } from '../command.ts'
import { CONFIRMATION } from '../../turn/dialogue.ts'
import { LEAST, type Lesson, SURE } from '../lesson.ts'
import { subjectOf, subjectsIn } from '../replies/plain-reply.ts'
import { asks, IDLE } from '../read-questions.ts'

const FILLERS =
  '(?:no|nope|nah|wait|sorry|oh|ah|hm+|well|what|ok|okay|yes|yeah|but|and|so|huh|ugh|hey|look|please)'

/** Words by which customers say that they were not understood. */
const NOT_THAT =
  "(?:(?:that|this)(?:'s| is| was)?(?: not|n'?t| no) (?:my|the|what)(?: question| point| i [^.!?,;:]{2,30})?|(?:that|this) (?:does ?n'?t|did ?n'?t|does not|did not) answer[^.!?,;:]{0,20}|not my question|you (?:misunderst(?:and|ood)|misread|got (?:me|that|it|this) wrong|did(?: not|n'?t) (?:get|understand|read)[^.!?,;:]{0,20})(?: me| my question)?|i (?:did(?: not|n'?t)|was(?: not|n'?t)|am not|have(?: not|n'?t)|never) (?:ask|asked|asking|want|wanted|wanting|say|said|saying|mean|meant|talk(?:ed|ing)|speak(?:ing)?)\\b[^.!?]{0,60}|i'?m not (?:asking|talking|speaking)\\b[^.!?]{0,60}|the question was (?:something else|another|different))"

/** Words that lead to what is meant. */
const MEANS =
  '(?:i (?:mean|meant)(?: to (?:say|ask))?|what i (?:mean|meant|asked|want(?:ed)? to know)(?: is| was)?|my question (?:is|was)|the question (?:is|was)|i (?:was )?(?:just |only )?(?:ask(?:ed|ing)?|refer(?:red|ring)?|talk(?:ed|ing)|speak(?:ing)?)(?: to| about| for| of)?|i (?:just |only )*(?:want(?:ed)?|need(?:ed)?|wish|would like) to know)'

const OTHERWISE = new RegExp(
  `^\\W*(?:(?:${FILLERS})\\b[\\s,.!?:-]*)*(?:(?<not>${NOT_THAT})[\\s,.!?;:-]+(?:(?:${FILLERS})\\b[\\s,.!?:-]*)*(?:first )?(?:${MEANS}\\b[\\s,.:;-]*)?|(?<means>i (?:mean|meant)(?: to (?:say|ask))?|what i (?:mean|meant|asked)(?: is| was)?|my question (?:is|was)|i(?:'m| am)? (?:just |only )?(?:asked|asking|was asking|wanted to know)(?= (?:if|whether|about|how|when|what|where|why|which|who)\\b))\\b[\\s,.:;-]+)(?<rest>.{6,})$`,
  'isu',
)

/** Longer texts are stories of their own. */
const MOST_CHARACTERS = 300

/**
 * "I mean when will it ship", "that was not my question. If …": what stands behind is read as a message of its own,
 * about what was spoken of. Where it only gives another value, it is a correction.
 */
export const saidOtherwise =
  (read: (text: string, lesson: Lesson) => Reading) =>
  (text: string, lesson: Lesson): Reading | null => {
    const rest = meantIn(text)
    if (rest === null) return null
    if (neverWanted(text, rest, lesson)) return readAs([{ type: 'deny' }], 'it never wanted it')
    const { label, confidence } = lesson.classifier.classify(rest)
    const isAsked = rest.includes('?') || asks(rest) || WHETHER.test(rest)
    const isLong = rest.split(/\s+/).length >= LEAST_WORDS
    const isClear = label !== null && label !== IDLE && confidence >= SURE
    if (!isAsked && !(isLong && isClear)) return null
    if (isCorrection(rest)) return null
    const { open } = lesson.context.dialogue
    const reading = read(questionOf(rest), lesson)
    const isAnswer = reading.commands.some(({ type }) => ANSWERS.has(type))
    if (isUnclear(reading) || isAnswer) return null
    // What is open is not confirmed, and not given up, by a question.
    return open?.param === CONFIRMATION || reading.confidence >= LEAST
      ? readAs(reading.commands, `it says what it means: ${reading.reasoning}`, reading.confidence)
      : null
  }

/** "I never said cancel. Just send it", where just that was offered, or is to be confirmed. */
function neverWanted(text: string, rest: string, { context }: Lesson): boolean {
  const { open, choices } = context.dialogue
  const asked = open ?? (choices.length === 1 ? choices[0] : undefined)
  const not = OTHERWISE.exec(text)?.groups?.['not'] ?? ''
  return (
    asked !== undefined &&
    subjectsIn(not).includes(subjectOf(asked.intentId)) &&
    subjectsIn(rest).length === 0 &&
    !rest.includes('?') &&
    !asks(rest)
  )
}

/** What a text says that it means; `null` if it corrects nothing. */
function meantIn(text: string): string | null {
  if (text.length > MOST_CHARACTERS) return null
  return OTHERWISE.exec(text)?.groups?.['rest']?.trim() ?? null
}

const LEAST_WORDS = 4

const ANSWERS: ReadonlySet<string> = new Set(['confirm', 'deny', 'cancel-task', 'remark', 'wait'])

const WHETHER = /^(?:if|whether|about)\b/iu

/** "If the bottle could go back" asks whether it can. */
const questionOf = (rest: string): string =>
  rest
    .replace(
      /^(?:if|whether) ((?:the |my |a )?(?:\p{L}+ )?\p{L}+) (could|can|would|will|is|are|was|were|has|have|may) /iu,
      '$2 $1 ',
    )
    .replace(/^(?:if|whether) (?=(?:i|we|it|they) (?:can|could|may)\b)/iu, '')
    .replace(/^(i|we|it|they) (can|could|may) /iu, '$2 $1 ')
    .replace(/^(?:if|whether) /iu, 'do ')
    .replace(/^about /iu, 'what about ')
