/** Courtesies before a question that ask for nothing by themselves. */
const OPENINGS = [
  '(?:hi|hello|hey|hiya)(?: there| again)?(?=[,.!:;-]| )',
  'good (?:morning|afternoon|evening|day)(?=[,.!:;-]| )',
  '(?:ok|okay|so|well|now|alright|right|just)(?=,| (?:tell|can|could|would|please|what|how|when|quick))',
  '(?:(?:a |just a |one )?(?:quick|small|short|simple|easy|last) (?:one|question|thing)|one question|question)(?=\\s?[,.!:;–—-])',
  "(?:i have|i've got|here is|here's) (?:a|one|another)(?: quick| small| short| simple)? (?:question|one)(?: for you)?(?=[,.!:;-])",
  '(?:excuse me|sorry to bother you|sorry)(?=[,.!:;-])',
  'please|pls|kindly',
  '(?:can|could|would|will) you(?: please| kindly| maybe| quickly| just)?(?= (?!be|have|get|make)[a-z])',
  '(?:would|do) you mind telling me',
  '(?:tell|remind) me(?= (?:what|when|which|how|on|the)\\b)|let me know(?= (?:what|when|which|how|on)\\b)',
  "(?:i want|i'd like|i would like|i'd love|i need|we need|we want|i was hoping|i am trying|i'm trying) to (?:know|find out|learn|hear)",
  "(?:i wonder|i was wondering|i'm wondering|wondering)(?:,|(?= (?:what|when|which|how|on)\\b))",
  '(?:do|would|might) you (?:happen to )?know(?= (?:what|when|which|how|on)\\b)|any idea(?= (?:what|when|which|how)\\b)',
  'can (?:anyone|somebody|someone) tell me',
].map((words) => new RegExp(`^(?:${words})(?:[,.!:;]+(?=\\s|$)|[–—-]+(?=\\s+[a-z])|\\s)*`, 'iu'))

/** Courtesies after a question. */
const CLOSINGS = [
  "(?:let's |let us )?think step by step",
  '(?:please|pls)',
  '(?:many |a lot of )?thanks(?: a lot| so much| very much| in advance| a million)?|thank you(?: very much| so much| in advance| kindly)?|thx|cheers',
  '(?<=[a-z0-9)%] )for (?:me|us)',
  '(?:if you (?:can|could|would|please)|if (?:possible|you do not mind|you don.t mind|that.s ok))',
].map((words) => new RegExp(`(?<=[\\s,.!?;:)-])(?:${words})[\\s.!?]*$`, 'iu'))

/** Limit on removals; questions hold fewer courtesies. */
const MAX_REMOVALS = 8

/**
 * Removes the courtesies around a question: "Hi, could you tell me what 2 + 2 is, please?" becomes
 * "what 2 + 2 is?". Words that could ask for something stay, as does a question of courtesies only.
 */
export function unframed(question: string): string {
  let text = question.trim()
  for (let count = 0; count < MAX_REMOVALS; count++) {
    const opened = OPENINGS.reduce((rest, opening) => rest.replace(opening, ''), text)
    const closed = CLOSINGS.reduce(withoutClosing, opened)
    if (closed === text) break
    text = closed
  }
  return text === '' ? question : text
}

/** Removes ", thanks!" with its punctuation; keeps the question mark of ", please?". */
function withoutClosing(text: string, closing: RegExp): string {
  const found = closing.exec(text)
  if (found === null) return text
  const kept = text.slice(0, found.index).replace(/[\s,;:–—-]+$/u, '')
  return found[0].includes('?') && !/[?.!]$/.test(kept) ? `${kept}?` : kept
}
