/** Words by which somebody is plainly upset. */
const UPSET =
  /\b(?:ridiculous|unacceptable|unbelievable|outrageous|disgrace\p{L}*|angry|furious|pissed|annoy(?:ed|ing)|frustrat\p{L}+|disappoint(?:ed|ing|ment)|fed up|sick of|had enough|the worst|terrible|awful|horrible|upset|useless|pathetic|disaster|nightmare|wtf|(?:what|where|why|who) the (?:hell|heck|f\p{L}*)|are you (?:kidding|serious)|a joke|you people)\b/iu

/** The same words of somebody who is not, or who praises. */
const NOT_UPSET =
  /\b(?:not|n't|never|no longer|without being) (?:\p{L}+ ){0,2}(?:angry|annoyed|upset|disappointed|frustrat\p{L}+|furious)\b|\b(?:thank|thanks|thx|great|love|lovely|perfect|quick|fast|wonderful|excellent)\b/iu

/** Whether a message is plainly upset, which deserves a word of sympathy besides the answer. */
export const isUpset = (text: string): boolean => {
  const said = text.slice(0, 2_000)
  return UPSET.test(said) && !NOT_UPSET.test(said)
}
