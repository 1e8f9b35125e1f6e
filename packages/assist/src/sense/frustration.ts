import { type Cue, weigh, type Weighed } from './cue.ts'
import { sentencesOf } from './readable.ts'

const OUTPUT =
  '(?:lists?|bullets?(?: points?)?|questions?|advice|answers?|tips|steps|plans?|schedules?|frameworks?|platitudes|to-?dos?|suggestions?|summar(?:y|ies))'
const PRAISE =
  '(?:great|wonderful|fantastic|brilliant|perfect|awesome|lovely|super|nice|terrific|amazing|splendid|marvell?ous)'
const VERY =
  '(?:(?:so|really|very|just|getting|truly|quite|a bit|pretty|totally|completely|absolutely|such|beyond) )*'

/** Refers to the conversation, not to a job or a city that "this" may also mean. */
const THIS_HERE = `(?:this|these|those|that|it)(?: (?:\\w+ )?(?:nonsense|crap|conversation|chat|talk|game|exercise|app|bot|${OUTPUT}))?(?: any ?more| any longer)?(?=[\\s.!?…]*$|,)`

/** A reason not meant seriously. */
const ABSURD = `(?:so well|(?:that|so|this) (?:easy|simple)|always (?:works?|helps?)|(?:just|exactly) what|is what i need|(?:another|more|one more) ${OUTPUT}|will (?:just |surely |certainly |magically )*(?:pay|fix|solve|cure|save|say yes)|solves? (?:everything|all|anything)|(?:i have|i've got) (?:so much|nothing (?:better|else)|all the)|nothing (?:says|helps) )`

const AGREED = '^(?:(?:yes|yeah|oh|sure|right|of course|great)[,.! ]+)+'

/** Words addressed to others do not count against the assistant. */
const TO_OTHERS = '(?!(?: \\w+)? (?:to )?(?:my|him|her|them|our|his|everybody|everyone|people)\\b)'

const words = (source: string): RegExp => new RegExp(source, 'iu')

const FELT: readonly Cue[] = [
  // The words before a feeling tell whose it is: another person's, or yesterday's, ends no conversation.
  [
    words(
      `\\b(?:i'm|i am|im|i feel|it makes me|you make me|this makes me) ${VERY}(?:frustrated|annoyed|angry|irritated|fed up|exasperated|losing (?:my )?patience)(?! (?:with|at|by|about|that) (?:my|the|our|him|her|them|work|myself|i|he|she|they|we)\\b)`,
    ),
    0.8,
  ],
  [
    words(
      `^(?:(?:god|ugh|wow|oh|but|well|and|no|honestly)[, ]+)*(?:this|that|it)(?:'s| is| was) ${VERY}(?:frustrating|annoying|useless|pointless|ridiculous|maddening|infuriating|tiring|no help|worthless|a (?:complete )?waste|going nowhere)(?!,? (?:that|to|how|for|when|the)\\b)`,
    ),
    0.8,
  ],
  [words(`\\b(?:sick|tired)(?: and tired)? of (?:you\\b|your\\b|${THIS_HERE})`), 0.8],
  [
    words(
      `\\bcan(?:'t|not) (?:take|stand|bear) (?:${THIS_HERE}|any ?more(?: of (?:your\\b|${THIS_HERE})|[\\s.!?…]*$))`,
    ),
    0.8,
  ],
  [words(`\\b(?:ugh|argh+|grr+|gah|ffs|wtf|jee[sz]|for (?:god|heaven)'s sake)\\b`), 0.6],
  [
    words(
      `\\b(?:you|this|that|it|you're|you are|this is|that's|that is|it's|it is) (?:\\w+ )?driv(?:e|es|ing) me (?:crazy|mad|nuts|insane|up the wall)`,
    ),
    0.8,
  ],
  [
    words(
      `^(?:(?:god|man|ugh|honestly|and|well)[, ]+)*i (?:really |just )?(?:hate|can't stand|loathe) (?:it|you|(?:this|that|these|your)(?: (?:conversation|chat|talk|app|bot|${OUTPUT}))?)(?=[\\s.!?…]*$|,)`,
    ),
    0.8,
  ],
  [words(`\\b(?:blah|bla|yada|meh)\\b|^whatever\\b`), 0.6],
  [
    words(
      `^(?:no|nope|wrong)[!.,]+ (?:that|this|it)(?:'s| is) (?:not(?! (?:wrong|bad))|wrong(?! to))|\\bnot it at all\\b`,
    ),
    0.6,
  ],
  [
    words(
      `(?<!\\bmy \\w{1,20} )\\b(?:doesn't|does not|not|won't|isn't) (?:get|getting|bring|take|leading|lead) (?:me|us) (?:anywhere|any further|nowhere)`,
    ),
    0.7,
  ],
  [words(`\\bback (?:to square one|where we started|at the start)\\b`), 0.6],
  [words(`\\bwast(?:e|ing) (?:of )?my time\\b`), 0.3],
]

const HELD_AGAINST: readonly Cue[] = [
  [
    words(
      `\\byou(?:'re| are)(?: just| still| only)? (?:wasting|repeating|missing|ignoring|useless|no help|not (?:listening|helping|hearing|understanding|reading|answering))`,
    ),
    0.8,
  ],
  [
    words(
      `\\byou (?:just |still |always )?(?:keep (?:missing|asking|saying|repeating|telling|ignoring|giving|on)|never (?:answer|listen|understand|read|help)|don't (?:get|listen|understand|read|answer)|didn't (?:answer|listen|understand|read)|aren't (?:listening|helping|reading))`,
    ),
    0.8,
  ],
  [
    words(
      `\\byou (?:just |still |really |clearly |obviously |simply )?(?:haven't|have not|don't|do not|didn't|can't|cannot|won't|never) (?:\\w+ )?(?:underst\\w+|listen\\w*|read|hear\\w*|answer\\w*|help\\w*|get (?:it|me|this|that))`,
    ),
    0.8,
  ],
  [
    words(
      `\\byou (?:sound|talk|write|read) like (?:a|an|some) (?:\\w+ )?(?:book|textbook|self-help|machine|robot|parrot|record|manual|brochure|coach|salesman|politician|calendar|poster)`,
    ),
    0.6,
  ],
  [
    words(
      `\\bwhat part of\\b|\\bfor once\\b|\\bhow (?:is|are|was|does) (?:that|this|it|these) (?:supposed|meant|going) to help|\\bwhat good (?:is|does) (?:that|this)`,
    ),
    0.7,
  ],
  [
    words(
      `\\b(?:second|third|fourth|fifth|sixth|tenth|hundredth|umpteenth|nth|\\d+(?:th|rd|nd)) time (?:you|that you|now[\\s.!?…]*$)`,
    ),
    0.8,
  ],
  [words(`\\bwhy (?:do|are|must) you (?:keep|always|still|constantly)`), 0.8],
  [words(`\\b(?:are|did|do|can) you even\\b`), 0.7],
  [
    words(
      `\\bi(?:'ve| have)? (?:already |just )?(?:told|said|explained|wrote|written|answered|mentioned)\\b${TO_OTHERS}.*\\b(?:already|twice|again|times|(?:this|that|it) before)\\b`,
    ),
    0.7,
  ],
  [
    words(
      `\\bi(?:'ve| have)? already (?:told|said|explained|wrote|written|answered|mentioned)\\b${TO_OTHERS}`,
    ),
    0.7,
  ],
  [
    words(
      `\\bhow (?:many times|often) (?:do|must|should|have) i (?:\\w+ )*(?:say|tell|told|repeat|explain|ask|write|answer)`,
    ),
    0.8,
  ],
  [
    words(
      `\\bfor the (?:second|third|fourth|fifth|tenth|hundredth|last|umpteenth|nth) time\\b(?= ?[:,;.!?-]|$)`,
    ),
    0.8,
  ],
  [
    words(
      `(?<!\\bi(?:'m| am| keep| just keep)? (?:\\w+ )?(?:around |round )?)\\bin circles\\b|\\b(?:is|are|getting|leads|goes) (?:going )?nowhere\\b`,
    ),
    0.7,
  ],
  [words(`\\bnot what i (?:asked|wanted|meant|said|need|needed)`), 0.7],
  [words(`\\bi asked (?:about|for|you)\\b.*\\bnot\\b`), 0.6],
  [
    words(
      `\\b(?:again|yet again|always) the same ${OUTPUT}|\\b(?:same|generic|empty) ${OUTPUT}\\b.*\\b(?:again|before|yesterday|every time|as always|last time)`,
    ),
    0.7,
  ],
  [words(`^(?:again|yet another|not another|another) (?:\\w+ )?${OUTPUT}`), 0.6],
  [
    words(
      `\\b(?:none|nothing) of (?:this|that|it|what you say|your \\w+) (?:helps|is (?:new|useful|helpful|relevant|any|what)|makes (?:any )?sense|works|answers)`,
    ),
    0.8,
  ],
  [
    words(
      `\\b(?:this|that|it) (?:doesn't|does not|isn't|is not|didn't) (?:help(?:ing|ful)?(?! (?:my|our|his|her|him|them|the))|answer(?! the question of))`,
    ),
    0.6,
  ],
  [words(`\\bstop (?:asking|repeating|saying|telling|giving|lecturing)`), 0.6],
]

const SARCASM: readonly Cue[] = [
  [
    words(
      `\\b${PRAISE}[,.! ]+(?:just )?(?:another|more|yet|again|a|an|the same|\\w+ more)\\b(?!.*\\b(?:please|let's|then|would help)\\b).*\\b${OUTPUT}\\b`,
    ),
    0.8,
  ],
  [
    words(
      `\\bthanks for nothing\\b|^(?:(?:oh|well|gee|wow|some|real)[, ]+)*big help[.!]*$|\\bhelpful[.!, ]+not\\b`,
    ),
    0.8,
  ],
  [
    words(
      `\\b(?:just|exactly) what (?:i|a|an|my|every)\\b(?!.*\\blooking for\\b).*\\bneed(?:ed|s)?\\b`,
    ),
    0.3,
  ],
  [
    words(
      `^(?:oh )?yeah[, ]+(?:right[.!]*$|sure[, ]+because)|^as if\\b.*\\bhelp|\\bbecause that worked so well\\b`,
    ),
    0.7,
  ],
  // A reason by itself is an answer: "Yes, because my children need me."
  [words(`${AGREED}because\\b.*\\b${ABSURD}`), 0.7],
  [
    words(
      `^(?:yes|yeah|oh|sure|right|oh sure|of course|oh yes)[,.! ]+(?:sure[, ]+)?(?:blame|as if that|let's just (?:all|make|write|add))\\b`,
    ),
    0.7,
  ],
  [
    words(
      `\\b(?:such|what) (?:wisdom|genius|insight|depth|a revelation|a surprise)\\b|\\bnever (?:would|could|should)(?: have|'ve) (?:thought|guessed|known)`,
    ),
    0.4,
  ],
  [words(`^seriously\\?`), 0.5],
]

const CUES: readonly Cue[] = [...FELT, ...HELD_AGAINST, ...SARCASM]

/** Whether a message shows frustration with the conversation, directly or through sarcasm. */
export function weighFrustration(text: string): Weighed {
  // Sarcasm may span sentences: "Great. More bullet points." Quotes of other people are ignored.
  const own = text.replace(/"[^"]*"(?! did)/gu, '')
  const pieces = [...sentencesOf(own), own.replace(/\n+/g, ' ')]
  return weigh(
    pieces.filter((piece) => !DENIED.test(piece)),
    CUES,
  )
}

const DENIED =
  /\b(?:not|n't|never) (?:(?:so|really|that|at all|even) )*(?:frustrat|annoy|angry|irritat|useless|wasting|fed up|in circles)/iu
