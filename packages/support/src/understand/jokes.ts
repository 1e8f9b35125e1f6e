/** What takes back as a joke all that stands before it. */
const JOKE =
  /^(?:[^]*?[\s.,;:!?…)-])?(?:(?:i'?m|i am|i was|was|just|only|nah|na|ha(?:ha)*|hehe|lol|sorry|no,|it was|that was)[\s,.!]+)+(?:a joke|joking|kidding|kiddin|jk|messing(?: with you)?|teasing)\b(?: (?:with|around|about) ?(?:you|that|it)?)?/iu

/** Words that doubt what was said, which is no joke. */
const NO_JOKE =
  /\b(?:not|n't|you|u|must be|is this|are they) (?:\p{L}+ )?(?:a joke|joking|kidding)\b/iu

/** A text behind a joke that it takes back; "never mind" if nothing stands there. */
export function withoutJoke(text: string): string {
  const said = NO_JOKE.test(text) ? null : JOKE.exec(text)
  if (said === null) return text
  const rest = text.slice(said[0].length).replace(/^[\s.,;:!?)-]+/u, '')
  return /\p{L}/u.test(rest) ? rest : NEVER_MIND
}

const NEVER_MIND = 'never mind'
