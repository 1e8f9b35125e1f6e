import type { Marked } from './marks.ts'
import { FEAST, LENGTH, WEEKDAY } from './phrases.ts'
import { ASKING, IS, KIND, WHICH_KIND } from './wording.ts'

type Groups = Readonly<Record<string, string | undefined>>

/** A form of date question: the pattern of the whole question, and its calendar phrase. */
interface Frame {
  readonly form: RegExp
  readonly phrase: (found: Groups, say: Marked['say']) => string | undefined
}

const AFTER_KIND =
  '(?: (?:is it going to be|(?:is|was) it|it (?:is|was|will be)|(?:will|would) (?:it )?be|is|was|will|would|does|did|falls|fell|lies|lands))?(?: on| exactly)?'
const ENDING =
  '(?: (?:is|was|be|falls?|fell|lands?|landed|lie|comes?|occurs?|happens?|takes? place|celebrated|observed))?(?: on)?'
const DIRECTLY = '(?:right|just|immediately|directly)'
const DATE = '(?<date>#\\d+)'
const BESIDES = `(?<side>before|after) ${DATE}`

const frame = (form: string, phrase: Frame['phrase']): Frame => ({
  form: new RegExp(`^${form}$`, 'i'),
  phrase,
})

const named = ({ date }: Groups): string | undefined => date
const beside = ({ side, date }: Groups): string => `the day ${side} ${date}`

const ASKED: readonly Frame[] = [
  frame(`${ASKING}?${WHICH_KIND}${AFTER_KIND} ${DATE}${ENDING}`, named),
  frame(
    `${ASKING}?(?:what ${IS} )?(?:the )?${KIND}(?: (?:of|for|on|${IS}|it is))? ${DATE}${ENDING}`,
    named,
  ),
  frame(`what (?:will|would) (?:the ${KIND} be|be the ${KIND})(?: on)? ${DATE}`, named),
  frame(`${ASKING}?when(?: exactly)? (?:is|was|will|does|did) ${DATE}${ENDING}`, named),
  frame(`${ASKING}when ${DATE}${ENDING}`, named),
  frame(`(?:what ${IS} |${ASKING}(?:what ${IS} )?)${DATE}`, unlessFeast),
  frame(`${ASKING}?(?:what ${IS} )?${DATE}'s ${KIND}`, named),
  frame(`what (?:will|would) ${DATE}'s ${KIND} be`, named),
  frame(`${DATE},? (?:${KIND}|${WHICH_KIND})`, named),
  frame(
    `${DATE}(?:,| -|:)? (?:is|was|falls|fell|lands|landed|will be|will fall)(?: on)? ${WHICH_KIND}`,
    named,
  ),
  frame(
    `(?:is|was|will|did|does) ${DATE}(?: (?:be|fall|land))?(?: on)? an? (?<one>#\\d+),? or (?:on )?(?:an? )?(?<two>#\\d+)`,
    amongWeekdays,
  ),
  frame(`${ASKING}?${WHICH_KIND} comes (?:${DIRECTLY} )?${BESIDES}`, beside),
  frame(`${ASKING}?${WHICH_KIND} (?:is|was|falls|lies) ${DIRECTLY} ${BESIDES}`, beside),
  frame(`${ASKING}?${WHICH_KIND} (?:${DIRECTLY} )?follow(?:s|ed) ${DATE}`, ({ date }) =>
    beside({ side: 'after', date }),
  ),
  frame(`${ASKING}?${WHICH_KIND} (?:${DIRECTLY} )?preced(?:es|ed) ${DATE}`, ({ date }) =>
    beside({ side: 'before', date }),
  ),
  frame(DATE, named),
]

const PERSON = '(?:i|you|we)'
const RESULT = `(?:${WHICH_KIND} (?:(?:is|was|will|would) (?:it|that|this)(?: be)?|(?:do|will|would) ${PERSON} (?:get|reach|have|be on|land on|end up on))|what is the ${KIND})`

/** Questions around a calculation that was turned into a date: `What date do I get if I …`. */
const RECKONED: readonly Frame[] = [
  frame(`${ASKING}?${RESULT} (?:if|when) ${PERSON} ${DATE}`, named),
  frame(`(?:(?:if|when) ${PERSON} )?${DATE},? (?:and )?${RESULT}`, named),
  frame(
    `start(?:ing)? (?:from|on|at|with) ${DATE},? (?:and )?(?:(?<add>add)|subtract|deduct) (?<length>${LENGTH})(?:[.,;]? (?:and )?${RESULT})?`,
    ({ date, add, length }) => `${length} ${add ? 'after' : 'before'} ${date}`,
  ),
]

const FRAMES = [...ASKED, ...RECKONED]

/** The calendar phrase of a question that matches one of the frames entirely. */
export function readFrame({ text, say }: Marked): string | undefined {
  for (const { form, phrase } of FRAMES) {
    const found = form.exec(text)
    const read = found && phrase(found.groups ?? {}, say)
    if (read) return read
  }
  return undefined
}

const FEAST_ALONE = new RegExp(`^${FEAST}$`, 'i')
const WEEKDAY_ALONE = new RegExp(`^${WEEKDAY}$`, 'i')

/** `What is Easter?` asks for more than its date. */
function unlessFeast({ date = '' }: Groups, say: Marked['say']): string | undefined {
  return FEAST_ALONE.test(say(date)) ? undefined : date
}

function amongWeekdays({ date, one, two }: Groups, say: Marked['say']): string | undefined {
  return [one, two].every((day) => WEEKDAY_ALONE.test(say(day ?? ''))) ? date : undefined
}
