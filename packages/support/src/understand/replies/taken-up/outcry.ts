const SENTENCES = /(?<=[.!?])\s+/u

/** What asks for nothing, although it has a question mark: "Seriously?", "What? So short?", "are you kidding me?" */
const OUTCRY =
  /^\W*(?:(?:oh|ok|okay|hm+|wow|well|wait|no|and|but|what|huh|omg|my god|jeez|ugh)[\s,.!?]*)*(?:(?:really|seriously|honestly|what|huh|wow|wtf|omg|eh|pardon me|come on|excuse me|for real|no way|since when|you(?:'re| are)? (?:kidding|joking|serious)(?: me)?|(?:are|r) (?:you|u|you guys) (?:kidding|joking|serious|for real|having a laugh)(?: me| right now| with me)*|is (?:this|that) (?:a joke|serious|for real|real|some kind of joke)|(?:that|so|this|only|already|just) (?:short|long|little|few|much|strict|late|soon|far|quick|fast|expensive)|how (?:come|is that even possible|can that be|ridiculous|annoying))[\s,.!]*)*(?:really|seriously)?\?+!*\W*$/iu

/** Longer ones ask something. */
const MOST_WORDS = 6

const isOutcry = (sentence: string): boolean =>
  sentence.includes('?') && OUTCRY.test(sentence) && sentence.split(/\s+/u).length <= MOST_WORDS

/** A message without the outcries before what it says; itself if it is nothing else. */
export function withoutOutcry(text: string): string {
  const rest = text.split(SENTENCES).filter((sentence) => !isOutcry(sentence))
  const said = rest.join(' ')
  return /[\p{L}\p{N}]/u.test(said) ? said : text
}
