/** A message that needs no answer in substance. */
export type SmallTalk = 'greeting' | 'thanks' | 'goodbye' | 'apology' | 'about'

/** Longer messages say more than a greeting. */
const MOST_CHARACTERS = 80

/** What may stand around the words. */
const AROUND =
  'there|again|all|everyone|everybody|team|assistant|echelon|so|very|much|a lot|then|ok|okay|well|great|lovely|perfect|and|but|for that|for this|for now|for today|for your help|for the help|for everything'

const PHRASES: Readonly<Record<SmallTalk, string>> = {
  about:
    'who are you|what are you|what can you do|what can you do for me|what do you do|how does this work|how do you work|hi|hello|hey',
  goodbye:
    'bye|bye bye|good bye|goodbye|see you|see you later|see you soon|see you tomorrow|good night|farewell|take care|have a nice day|have a good day|have a great day|have a nice evening|have a nice weekend|thanks|thank you',
  thanks:
    "thanks|thank you|thx|ty|cheers|much appreciated|i appreciate it|i appreciate that|that is kind|that's kind|that is helpful|that's helpful|that was helpful|that was very helpful|that is very helpful|very kind|very kind of you|very helpful|nice of you|hi|hello",
  greeting:
    "hi|hello|hey|hiya|howdy|greetings|good morning|good afternoon|good evening|good day|how are you|how are you doing|how are you today|how are you doing today|how's it going|how is it going|nice to meet you",
  apology:
    "sorry|i am sorry|i'm sorry|sorry about that|my bad|my apologies|i apologize|i apologise|never mind|nevermind",
}

/** What each kind must hold; its other phrases only accompany it. */
const TELLING: Readonly<Record<SmallTalk, RegExp>> = {
  about: /who|what|how/u,
  goodbye: /bye|see you|good night|farewell|take care|have a/u,
  thanks: /th|ty|cheers|appreciate|kind|help|nice/u,
  greeting: /./u,
  apology: /./u,
}

const ORDER: readonly SmallTalk[] = ['about', 'greeting', 'thanks', 'goodbye', 'apology']

/**
 * Whether a message is nothing but small talk. English. A message that also asks for something is not small talk:
 * "thanks, and how long does it take?".
 */
export function smallTalkIn(text: string): SmallTalk | null {
  if (text.length > MOST_CHARACTERS) return null
  const words =
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}']+/gu) ?? []
  return ORDER.find((kind) => isWhole(words, kind)) ?? null
}

/** Takes the longest phrase from the front until nothing is left. */
function isWhole(words: readonly string[], kind: SmallTalk): boolean {
  const phrases = new Set(PHRASES[kind].split('|'))
  const around = new Set(AROUND.split('|'))
  let isTold = false
  for (let at = 0; at < words.length;) {
    const length = LENGTHS.find((count) => {
      const phrase = words.slice(at, at + count).join(' ')
      return at + count <= words.length && (phrases.has(phrase) || around.has(phrase))
    })
    if (length === undefined) return false
    const phrase = words.slice(at, at + length).join(' ')
    isTold ||= phrases.has(phrase) && TELLING[kind].test(phrase)
    at += length
  }
  return isTold
}

/** Words of a phrase, longest first. */
const LENGTHS = [6, 5, 4, 3, 2, 1]

const CORRECTS =
  /^(?:(?:oh|ah|um|uh|well|ok(?:ay)?)[, ]+)*(?:no+[,. ]+(?:wait|not|i|that|it|the)\b|(?:sorry|oops|wait|hold on|correction)[,:. ]+\S|i (?:meant|mean)\b|(?:that's|that is|you are|you're) (?:not (?:what|right)|wrong)|actually[, ])|\b(?:i meant|what i meant|not what i (?:meant|asked|said)|i was wrong about|scratch that|rather than that)\b/iu

/** Whether a message corrects what was said before, its own author's words or the answer. English. */
export const isCorrection = (text: string): boolean =>
  CORRECTS.test(text.trim().slice(0, MOST_READ).replaceAll('’', "'"))

/** A correction comes first, or near. */
const MOST_READ = 300
