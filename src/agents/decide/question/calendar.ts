const ASKS =
  /\b(?:what|which)(?:'s| is| was| will be)? (?:the )?(?:week ?day|day|date)\b|\bday of the week\b|\bwhen (?:is|was|will|does|did)\b|\b(?:find|give|tell)\b.*\b(?:date|weekday)\b|\bon (?:what|which) (?:day|date|weekday)\b|\bwhat is today\b|\b(?:is|was) (?:it|that) a \w+day\b/i
const DATED =
  /\b(?:today|tomorrow|yesterday|tonight|day|days|week|weeks|month|months|year|years|date|(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|christmas|easter|thanksgiving|halloween|eve|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4})\b/i
/** Answered by a number or by yes and no, which a date cannot prove. */
const OTHER =
  /\bhow (?:many|much|long|old|far|often)\b|\b(?:is|was) (?:it|that) a \w+day\b|\bwhat time\b/i

/** Whether a text asks for a date or a day of the week, and names something to find it by. */
export function asksForDate(text: string): boolean {
  return ASKS.test(text) && DATED.test(text) && !OTHER.test(text)
}
