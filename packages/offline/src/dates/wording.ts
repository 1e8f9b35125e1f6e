/** The words of date questions other than dates, as regular expression sources. */

/** The date or the weekday: the calendar answers with both. */
export const KIND =
  '(?:(?:exact |calendar |correct )?(?:weekday|day and date|date and day|date|day))'

const YOU = '(?:(?:can|could|would|will) you (?:please |kindly )?)?'
const TELL = '(?:tell|give|show|find|get|name|say|calculate|compute|determine|work out|look up)'
const KNOW = '(?:do you (?:happen to )?know|i(?: would|.d)? (?:like|want|need) to know|i wonder)'

/** `Could you tell me`, `please find`, `do you know`: introductions of a question. */
export const ASKING: string = `(?:(?:${YOU}(?:please )?${TELL}(?: me| us| out)?|${KNOW})[ ,:]+)`

/** `what day`, `on which weekday`. */
export const WHICH_KIND: string = `(?:on |at )?(?:what|which) ${KIND}`

export const IS = '(?:is|was|will be|would be)'

/** Normalizes blanks, quotes and contractions for the readers. */
export function tidy(question: string): string {
  return (
    question
      .trim()
      .replaceAll(/[‘’]/g, "'")
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/ ?[–—] ?/g, ' - ')
      .replaceAll(/\b(what|when|which|that|it|there)'s\b/gi, '$1 is')
      .replaceAll(/\b(?:day of (?:the )?week|week day)\b/gi, 'weekday')
      // Names as the calendar's holidays have them.
      .replace(/ in (?:the (?:us|usa|united states)|america)\b/i, '')
      .replace(/ (?:falls?|lands?|be)(?: on)?(?= (?:this|next|last) year| in \d{4}| \d{4})/i, '')
      .replace(/^(?:(?:hi|hello|hey|ok|okay|so|please|quick question)(?: there)?\b[ ,:!.-]*)+/i, '')
      .replace(/(?:[ ,]+(?:please|thanks|thank you|for me))*[ ?.!]*$/i, '')
  )
}

const RULES = [
  'count(?:ing)? (?:only )?monday (?:to|through) friday(?: only)?|monday (?:to|through) friday only',
  '(?:ignor(?:e|ing)|disregard(?:ing)?) (?:all |any )?(?:public |bank )?holidays|assum(?:e|ing) no holidays',
  "weekends (?:do not|don't) count|(?:not counting|excluding) weekends",
].join('|')
const WORKDAY_RULE = new RegExp(`[.,;?]? \\(?(?:and )?(?:${RULES})\\)?\\.?`, 'gi')

/** Removes statements about working days that are true anyway. */
export const withoutWorkdayRule = (text: string): string =>
  /\b(?:business|working) days?\b/i.test(text) ? text.replaceAll(WORKDAY_RULE, '') : text

const TODAY = new RegExp(
  `^${ASKING}?(?:(?:what|which) ${KIND} (?:is it|it is|do we have)|(?:what is )?(?:the )?(?:current )?${KIND}|(?:what is )?today's ${KIND})(?: (?:today|now|right now))?$`,
  'i',
)

/** `What day is it?`, `the current date`. */
export const asksForToday = (text: string): boolean => TODAY.test(text)
