import { smallTalkIn, type SmallTalkRow } from 'echelon/internal/classify'

/** A message to the assistant that needs no answer in substance. */
export type SmallTalk = 'greeting' | 'thanks' | 'goodbye' | 'apology' | 'about'

/** Questions about the assistant itself. */
const ABOUT: SmallTalkRow<'about'> = [
  'about',
  "who are you|what are you|what can you do(?: for me)?|what do you do|how does this work|how do you work|what'?s your name|what is your name",
]
const NEVER_MIND: SmallTalkRow<'apology'> = ['apology', 'never ?mind']

/** Which one is answered, if a message holds several. */
const ORDER: readonly SmallTalk[] = ['about', 'goodbye', 'thanks', 'apology', 'greeting']

/**
 * The kind of small talk, if a message is nothing else. A yes or no answers a question, and praise or an
 * insult is about the last answer: these are read elsewhere.
 */
export function smallTalkToAssistant(text: string): SmallTalk | null {
  if (/\b(?:yes|yeah|yep|no|nope)\b/iu.test(text)) return null
  const kinds = smallTalkIn<'about' | 'apology'>(text, [ABOUT, NEVER_MIND])
  if (kinds.includes('insult')) return null
  return ORDER.find((kind) => kinds.includes(kind)) ?? null
}
