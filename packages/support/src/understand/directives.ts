import type { Command } from './command.ts'
import { smallTalkIn } from './social.ts'

const LEAD =
  "(?:(?:oh|no|wait|oops|sorry|hey|hi|hello|um+|please|pls|ok|okay|well|and|so|actually|god|hmm+|can i|could i|may i|how (?:do|can) i|is it possible to|can you|could you|would you|can we|i want to|i need to|i(?:'d| would) like to|let me|let'?s|i)[\\s,.!-]+)*"

interface Directive {
  readonly said: RegExp
  readonly command: Command
}

/** Requests about the conversation itself, in words that nothing else is meant by. */
const DIRECTIVES: readonly Directive[] = [
  {
    said: new RegExp(
      `^\\W*${LEAD}(?:undo|revert|reverse|roll back|take back|un-?do)(?:[\\s,]+(?:it|that|this|the last(?: \\p{L}+)?|what you (?:just )?did|my (?:last )?(?:request|cancell?ation|change|refund|return)|the (?:cancell?ation|refund|return|change|address(?: change)?)(?: of \\S+)?|everything))?(?:[\\s,]+(?:please|pls|now|again|back|for me|if you can|if possible|asap))*\\W*$`,
      'iu',
    ),
    command: { type: 'undo' },
  },
  {
    said: new RegExp(
      `^\\W*${LEAD}(?:(?:take|put|change|set|switch) (?:(?:it|that|this)(?: all)? )?back(?: to (?:how|what|the way) it was|again)?|un-?cancel (?:it|that|my order|the order|this)|reinstate (?:it|that|my order|the order)|(?:don'?t|do not) cancel it after all|i (?:do )?want (?:it|my order|to keep it|to keep my order|to keep the order) (?:back|after all)|restore (?:it|that|my order|the order)|cancel the (?:cancell?ation|return|refund))(?:[\\s,]+(?:please|pls|now|after all|again))*\\W*$`,
      'iu',
    ),
    command: { type: 'undo' },
  },
  {
    said: new RegExp(
      `^\\W*${LEAD}(?:(?:say|tell me|write|show(?: me)?|send) (?:that|it|this)(?: (?:once more|one more time|again))|repeat(?: (?:that|it|this|yourself|please|the (?:last|question)(?: \\p{L}+)?|what you (?:just )?said))?|come again|pardon(?: me)?|what did you (?:just )?say|what was that(?: again)?|what was the question(?: again)?|once more please|one more time|i (?:did ?n'?t|didnt) (?:catch|get|read|see) that|you said what|why(?: not| so| is that)?|how come)(?:[\\s,]+(?:please|pls|again|sorry|for me))*\\W*$`,
      'iu',
    ),
    command: { type: 'repeat' },
  },
  {
    said: new RegExp(
      `^\\W*${LEAD}(?:(?:go|take me|step|move|get) back(?: (?:a|one) step| to the (?:previous|last) (?:step|question))?|back|(?:the )?previous (?:question|step)|one step back)(?:[\\s,]+(?:please|pls))*\\W*$`,
      'iu',
    ),
    command: { type: 'go-back' },
  },
  {
    said: /^\W*(?:(?:hi|hello|hey|ok|so|please|um+|well)[\s,.!]+)*(?:what (?:all )?(?:can|could|do) (?:you|u|i)(?: all)? (?:actually )?(?:do|help(?: me)?(?: with)?|offer|ask(?: you)?(?: for| about)?)(?: (?:here|for me|with))?|how (?:can|could|do) you (?:help|assist)(?: me)?|what are (?:you able to do|your (?:options|capabilities|features|functions)|my options|the options)|what (?:options|choices) (?:do i have|are there)|(?:help|menu|options|start)|help me(?: please)?|i (?:need|want)(?: some| your)? (?:help|assistance|support)|(?:can|could) (?:you|u|someone|somebody|anyone) (?:please )?(?:help|assist)(?: me)?(?: out)?|who (?:are|r) (?:you|u)|what (?:are|r) (?:you|u)|are (?:you|u) (?:a |an )?(?:real )?(?:ro)?(?:bot|human|real|person|ai|machine|chatbot|real person|there|alive)|(?:am i|is this|do i|is it|are we) (?:talk|speak|chat|writ)(?:ing|e)? (?:to|with) (?:a |an )?(?:real |actual |live )?(?:bot|human|robot|person|machine|ai|computer|program)(?: or (?:a |an )?(?:real |actual )?(?:bot|human|robot|person|machine|ai|computer|program))?|(?:are you|is this|is it) (?:a |an |some (?:kind|sort) of )?(?:real |actual |live |automated |automatic |virtual )?(?:chat ?bot|(?:ro)?bot|human|person|machine|computer|program|ai|system|assistant|chat|automated|automatic|real)(?: (?:being|system|assistant|program|person))?(?: or (?:a |an )?(?:real |actual )?(?:chat ?bot|(?:ro)?bot|human|person|machine|computer|program|ai|real|automated))?|who (?:am i|is this|do i) ?(?:talking|speaking|chatting|talk|speak)?(?: (?:to|with))?|what(?:'s| is) your name|do you have a name|i have a (?:question|problem|issue|request)|i(?:'ve| have)? got a (?:question|problem|issue))(?:[\s,]+(?:please|pls|today|here|with|now|something))*\W*$/iu,
    command: { type: 'small-talk', kind: 'capabilities' },
  },
]

/** A directive that makes up the whole text, besides small talk; or one to undo, after what it is about. */
export function directiveIn(text: string): Command | null {
  const whole = DIRECTIVES.find(({ said }) => said.test(text))?.command
  if (whole !== undefined) return whole
  const sentences = text.split(/(?<=[.!?])\s+/u)
  // "Who are you? Are you a robot?" asks for one thing in two sentences, and "hello, how are you?" for nothing.
  const each = sentences
    .filter((one) => smallTalkIn(one).length === 0)
    .map((one) => DIRECTIVES.find(({ said }) => said.test(one))?.command)
  const [first] = each
  if (sentences.length > 1 && each.every((one) => one === first)) return first ?? null
  // "It was only the lid. Can you undo that?": what was done last is taken back, whatever the reason.
  const undo = each.findLast((one) => one?.type === 'undo')
  const others = sentences.filter((_, at) => each[at]?.type !== 'undo')
  return undo !== undefined && !others.some((one) => one.includes('?')) ? undo : null
}

const WAITING =
  /\b(?:approv(?:e|ed|al|ing)|colleagues?|supervisor|manager)\b|\b(?:any|is there|have you got) (?:news|update|word|progress)\b|\b(?:still )?(?:waiting|pending)\b|\bmy request\b|\bwhat(?:'s| is) (?:happening|going on)\b|\bdone (?:yet|already)\b|\b(?:how long|when) (?:will|does|do|is|until)\b/iu

/** Whether the money of a request that waits is on its way. */
const OF_MONEY =
  /\b(?:money|refund|cash|it)\b[^.!?]{0,20}\b(?:on (?:its|the) way|sent|coming|through|back|made|approved|paid)\b|\bwhen\b[^.!?]{0,30}\b(?:money|refund|paid|cash)\b|\bwhat (?:now|next|happens (?:now|next))\b|\blooked? (?:at|into) (?:it|that|my)\b|\b(?:heard|decided) (?:back|anything|yet)\b/iu

/** Whether a text asks about what waits for a person. */
export const asksForWaiting = (text: string): boolean =>
  (WAITING.test(text) || OF_MONEY.test(text)) &&
  !SENDS_BACK.test(text) &&
  !/\b(?:talk|speak|chat|connect|transfer|call|get me)\b/iu.test(text)

/** "Can I send it back instead while it waits?" asks for something else. */
const SENDS_BACK =
  /\b(?:can|could|may|rather|instead|want|like|let me|prefer)\b[^.!?]{0,40}\b(?:send|return|ship|mail|give|bring|post|returning|sending)\b/iu

const DECIDED =
  /\b(?:what did|did|has|have) (?:your|the|my|a) (?:colleague|manager|supervisor|team)\b|\b(?:was|has|is) (?:it|that|my (?:refund|request|return)) (?:been )?(?:approved|declined|accepted|rejected|denied)\b/iu

/** Whether a text asks what a person decided. */
export const asksForDecision = (text: string): boolean => DECIDED.test(text)

/** Whether a text takes back a request that waits for a person. */
export const withdrawsRequest = (text: string): boolean =>
  withdrawsNamed(text) ||
  (!isConditional(text) &&
    sentencesOf(text).some(
      (one) =>
        WITHDRAWS.test(one) &&
        /\b(?:request|approval|refund|it|that|this)\b/iu.test(one) &&
        !NOT_NOW.test(one) &&
        !/\border\b|\d{4}/iu.test(one),
    ))

/** Whether it names the request that it takes back, so that nothing else can be meant. */
export const withdrawsNamed = (text: string): boolean =>
  !isConditional(text) &&
  sentencesOf(text).some((one) => TAKES_NAMED.test(one) && !NOT_NOW.test(one))

/** Whether it undoes what was done last, whatever that was. */
export const undoesLast = (text: string): boolean =>
  !isConditional(text) && sentencesOf(text).some((one) => UNDOES.test(one) && !NOT_NOW.test(one))

const sentencesOf = (text: string): readonly string[] => text.split(/(?<=[.!?;])\s+/u)

const WITHDRAWS =
  /\b(?:cancel|withdraw|stop|forget|drop|take back|never ?mind|don'?t want|do not want|no longer (?:want|need))\b/iu

/** "The refund request", "my request for the money", "refund". */
const REQUESTED =
  '(?:(?:the|my|that|this|our) (?:(?!(?:orders?|and|or|but|to|for|with|then|it)\\b)\\p{L}+ ){0,2}?|(?:refund|money) )?(?:request|application|refund)s?\\b'

const TAKES_NAMED = new RegExp(
  `\\b(?:take|pull) (?:back ${REQUESTED}|${REQUESTED} back\\b)|\\b(?:cancel|withdraw|stop|drop|undo|revoke|retract|reverse|rescind|scrap|recall|call off|pull) ${REQUESTED}`,
  'iu',
)

const UNDOES =
  /\b(?:undo|reverse|revoke|retract|rescind|withdraw|scrap|call off|take back) (?:it|that|this)(?: all| now| again| please| pls)?(?= *(?:$|[,.!?;]|and\b|but\b|because\b|cause\b))|\b(?:call|take|pull) (?:it|that|this) (?:off|back)\b/iu

/** "Is it gone now?", "has the request been withdrawn?", after it was taken back. */
export const asksIfWithdrawn = (text: string): boolean =>
  text.split(/\s+/u).length <= MOST_IN_QUESTION && ASKS_IF_WITHDRAWN.test(text)

const MOST_IN_QUESTION = 12
const ASKS_IF_WITHDRAWN =
  /\b(?:is|was|has|have|did|does|are)(?:n'?t)? (?:it|that|this|you|(?:the|my|that) (?:\p{L}+ )?(?:request|refund|return)) (?:request )?(?:\p{L}+ )*?(?:withdrawn|withdraw|taken back|take (?:it|that) back|revoked|retracted|undone|gone|off the table|(?:still )?(?:waiting|pending|wait|open|running|there))\b/iu

/** It is to stay, or is only asked about. */
const NOT_NOW =
  /\b(?:don'?t|do not|dont|didn'?t|did not|never|not|why|who|how|what|did|should|would|have to|need to|later|until|till) (?:\p{L}+ ){0,3}?(?:cancel|withdraw|stop|forget|drop|take|taking|undo|revoke|retract|reverse|rescind|scrap|recall|call|pull)\b|\b(?:later|tomorrow|still (?:able|possible))\b/iu

/** Conditions that only make a request polite, and questions that begin with the same word. */
export const withoutIndirect = (text: string): string =>
  text.replaceAll(INDIRECT, ' ').replaceAll(POLITE, ' ')

const ASKING =
  '(?:know|knows|knew|see|check|wonder(?:ed|ing)?|ask(?:ed|ing)?|tell (?:me|us)|told|find out|found out|sure|unsure|certain|confirm|curious|look(?: up)?|verify|clarify|say|question (?:is|was)|clear|idea|idk|dunno|no clue|hear(?:d)?|understand|interested|learn)'

/** "I'd like to know whether it has come, and if it is paid": each begins what is asked. */
const INDIRECT = new RegExp(
  `\\b${ASKING}(?: (?:you|now|please|first|about|here))?,? (?:if|whether)\\b(?:[^.!?]{0,160}?(?:,|\\band\\b|\\bor\\b)(?: and| or| also| then)* (?:if|whether)\\b(?! (?:not|so|you (?:can|could|do|would))\\b))*`,
  'giu',
)

const POLITE =
  /\bif (?:(?:it(?:'s| is)|that(?:'s| is)) )?(?:possible|ok(?:ay)?|all right|alright|not too (?:late|much trouble)|still possible|necessary|needed|available|applicable)\b|\bif (?:you|u)(?: guys)? (?:can|could|would|may|don'?t mind|do not mind|please|have (?:a|the) (?:moment|minute|time))\b|\bif i (?:may|might|can|could|am not mistaken|remember (?:correctly|right))\b|\bas if\b|\beven if\b|\bif so\b|\bif not\b|\bwhat if\b/giu

const CONDITION =
  /\b(?:if|unless|in case|provided(?: that)?|as long as|assuming|supposing|once|as soon as|whenever|until)\s+(?:(?:it|they|that|this|there|the|my|your|you|i|we|he|she|nobody|someone|o-?\d|order|delivery)\b|\p{L}+ (?:does|is|has|was|are|will|can|do)\b)/iu

const LATER =
  /\b(?:cancel|refund|return|send|change|ship)\b[^.!?]*\b(?:tomorrow|next (?:week|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|in (?:an?|two|three|\d+) (?:hours?|days?|weeks?)|later today|tonight)\b/iu

/** Where the customer is at some time is a reason, and no time for the request: "I'm not home next week". */
const ABSENCE =
  /[\s,.;-]+(?:(?:because|since|as|cause) )?(?:i|we)(?:'(?:m|re|ll|ve)| am| are| will| won't| have|m)? (?:be |not |going |going to be |be going )*(?:at |there|here|in |away|out|off|abroad|gone|home|moving|travel|on (?:vacation|holiday|a trip)|leav|work(?:ing)? (?:from|at))[^.!?;]*/giu

/** Whether a text makes its request depend on something, or on a later time. */
export function isConditional(text: string): boolean {
  const said = text
    .split(/(?<=[.!?])\s+/u)
    .filter((sentence) => !describes(sentence))
    .join(' ')
  const plain = withoutIndirect(said).replaceAll(ABSENCE, ' ')
  return CONDITION.test(plain) || LATER.test(plain)
}

/** "It trips the breaker whenever I switch it on" tells how a thing behaves, on which no request depends. */
const describes = (sentence: string): boolean =>
  BEHAVES.test(sentence) && !SETS_CONDITION.test(sentence)

const BEHAVES =
  /^\W*(?:(?:and|but|because|since|also)\s+)?(?:it|they|the \p{L}+(?: \p{L}+)?|my \p{L}+(?: \p{L}+)?|one of (?:them|the \p{L}+)) (?:\p{L}+ly |always |just |only |even )*(?!(?:is|are|was|were) (?:fine|ok|okay|enough|good)\b)\p{L}+[^,;]* (?:when(?:ever)?|every time|each time|if|as soon as|once) (?:i|we|you|one) (?:\p{L}+ )?\p{L}+/iu

/** What is wanted under a condition. */
const SETS_CONDITION =
  /\b(?:should|must|has to|have to|needs? to|can|could|may|please|only if|unless|cancel\p{L}*|refund\p{L}*|return\p{L}*|sen[dt]|money|change|wait)\b/iu

/** Questions about what would be, which order nothing. */
const HYPOTHETICAL =
  /\bwhat (?:would|will|could|might|does|do|is going to)?\s*happens?\b[^.!?]*\b(?:if|when|after|with|to)\b|\b(?:what if|what happens|suppose|supposing|let'?s say|hypothetically|theoretically|in theory)\b|^\W*(?:(?:so|ok|okay|and|hi|hello|hey|but)[\s,]+)*say (?:i|we)\b|\bif i (?:were|was|wanted|decided|did|had|should|would|ever|cancel(?:l?ed)?|return(?:ed)?|refund(?:ed)?|chang(?:e|ed)|sen[dt]|keep|kept)\b[^.!?]*(?:\bwhat\b|\bwhere\b|\bwho\b|\bwhich\b|\bhow\b|\bwould\b|\bwill\b|\bdo i\b|\bcan i\b|\bis there\b|\bcould\b|\bshould\b|\?)|\b(?:would|will|do|does|can|could|should|how much|how long|what|is there)\b[^.!?]*\bif i (?:were|was|wanted|decided|did|had|should|ever|cancel(?:l?ed)?|return(?:ed)?|refund(?:ed)?|chang(?:e|ed)|sen[dt])\b/iu

export const isHypothetical = (text: string): boolean => HYPOTHETICAL.test(text)

const TAKES_BACK =
  /\b(?:never ?mind|nvm|(?:it'?s|its|that'?s) (?:fine|ok|okay|solved|good)|forget (?:it|that|about (?:it|that|the \p{L}+))|(?:no longer|not|don'?t|do not|dont) (?:need|want) (?:a|an|the|any|to (?:talk|speak|wait)|your|one|it)?\b[^.!?]*\b(?:human|person|agent|colleague|anyone|somebody|someone|any ?more|him|her|them)?|(?:you|the bot) can (?:do it|help(?: me)?)|i(?:'ll| will) (?:stay|go on|continue|do it) with you|(?:go |get |come )?back to (?:the bot|you)|cancel (?:that|the (?:ticket|request|hand ?over|transfer))|i(?:'ve| have)? changed my mind|(?:rather|prefer) (?:you|the bot)|let'?s (?:continue|go on)(?: with you)?|i don'?t want to wait|take (?:it|that) back|come back|talk to you instead)\b/iu

/** Whether a customer takes back that they want a person. */
export const takesBackHandOver = (text: string): boolean => TAKES_BACK.test(text)

/** The rest of such a text: what they want instead. */
export const withoutTakeBack = (text: string): string =>
  text
    .split(/(?<=[.!?;:])\s+|,\s+(?=(?:just|please|can|could|where|what|when|cancel|refund|i)\b)/iu)
    .filter((sentence) => !TAKES_BACK.test(sentence) && !IDLE.test(sentence))
    .join(' ')
    .trim()

const IDLE =
  /^\W*(?:actually|wait|sorry|ok(?:ay)?|no|hey|please|you can (?:help|do it)[^.!?]*|i(?:'ll| will) [^.!?]*with you)\W*$/iu

const PERSON =
  '(?:an? |your |one of your |the |some |any )?(?:real |human |other )?(?:colleagues?|persons?|people|humans?|someone|somebody|manager|supervisor|agent|employee|specialist|team)'

const LOOKS =
  '(?:please |just |then )?(?:check|look|see|handle|review|help|investigate|verify|examine|sort|deal|take (?:a look|care|over|it)|have a look|go over|find out|clear)'

/** "Have a colleague check", "let someone look at it", "I'd like somebody to look into this". */
const WISH = new RegExp(
  `\\b(?:have|let|get|ask|want|need|like|prefer|pass (?:it|this|that) (?:on )?to|give (?:it|this|that) to|forward (?:it|this|that) to|send (?:it|this|that) to) ${PERSON}(?: (?:to |who (?:can |could |will )?|for (?:that|this|it) to )?${LOOKS}\\b|\\W*$)`,
  'iu',
)

/** "Can a colleague look at it?" */
const ASKED = new RegExp(
  `^\\W*(?:(?:yes|ok|okay|please|so|and|then|but|well|hm+)[\\s,]+)*(?:can|could|may|should|would) ${PERSON} ${LOOKS}\\b`,
  'iu',
)

/** Only a person, without a verb: "ok then a person please", "get me someone". */
const ALONE = new RegExp(
  `^\\W*(?:(?:yes|ok|okay|please|pls|so|and|then|but|well|hm+|alright|fine|just|right)[\\s,]+)*(?:(?:get|give) me )?${PERSON}(?:[\\s,]+(?:please|pls|then|thanks|thank you|now))*\\W*$`,
  'iu',
)

/** What takes the wish back, or makes it no wish. */
const NO_WISH =
  /\b(?:not|no|never|without|unless|if|rather than|instead of|already|did|has|had|was|when|why|who)\b|n't\b|\b(?:dont|didnt|wont)\b/iu

/** Whether a text wishes that a person looks at something; a question about what a person has done is none. */
export const wantsPersonToLook = (text: string): boolean =>
  text.length <= MOST_IN_WISH &&
  (isWish(text) || (isWish(lastSentence(text)) && !takesBackHandOver(text)))

const isWish = (text: string): boolean =>
  (WISH.test(text) || ASKED.test(text) || ALONE.test(text)) && !NO_WISH.test(text)

/** "It still isn't there. Can someone check?": the wish stands behind its reason. */
const lastSentence = (text: string): string => text.split(/(?<=[.!?])\s+/u).at(-1) ?? ''

/** Longer texts are stories, in which other things may be asked for. */
const MOST_IN_WISH = 160
