import { CONFIRMATION } from '../turn/dialogue.ts'
import { clausesOf } from './clauses.ts'
import { type Reading, readAs, type SmallTalk } from './command.ts'
import { type Lesson, SURE } from './lesson.ts'
import { asks, BEYOND, IDLE, QUESTION } from './read-questions.ts'
import { smallTalkIn } from './social.ts'

/** Thanks or a goodbye among other words that ask for nothing: "you have been most helpful. Goodbye now". */
export function courteous(text: string, lesson: Lesson): Reading | null {
  if (text.includes('?')) return null
  // Before a confirmation, a yes or a no is more than a courtesy, and a statement asks nothing.
  const isConfirming = lesson.context.dialogue.open?.param === CONFIRMATION
  const clauses = clausesOf(text).map((clause) => clause.replace(INTERJECTION, ''))
  const kinds = clauses.flatMap((clause) => kindsIn(clause).slice(-1))
  const kind = kinds.at(-1)
  const others = clauses.filter((clause) => clause !== '' && kindsIn(clause).length === 0)
  const isAsked = others.some((clause) => {
    const { label, confidence } = lesson.classifier.classify(clause)
    if (asks(clause) || (isConfirming && REPLIES.test(clause))) return true
    const isStated = isConfirming && (label === BEYOND || label === QUESTION)
    return label !== null && label !== IDLE && !isStated && confidence >= SURE
  })
  return kind === undefined || isAsked
    ? null
    : readAs([{ type: 'small-talk', kind }], `it is ${kind}`)
}

const REPLIES =
  /\b(?:yes|yeah|yep|no|nope|not|sure|ok|okay|do (?:it|that)|go ahead|please|wait)\b|n't\b/iu

const INTERJECTION =
  /^\W*(?:(?:pff+t?|ugh|hm+|ok|okay|k|well|damn|alright|all right|oh|ah|meh|fine|great|cool|right|so|and)\b\W*)+/iu

/** Small talk, also in the few words of other languages that everybody knows. */
const kindsIn = (clause: string): readonly SmallTalk[] => {
  const own = smallTalkIn(clause)
  if (own.length > 0) return own
  if (FAREWELL.test(clause)) return ['goodbye']
  return THANKS.test(clause) ? ['thanks'] : []
}

const THANKS =
  /^\W*(?:danke(?: schön)?|merci(?: beaucoup)?|(?:muchas )?gracias|grazie|obrigad[oa]|dank u)\W*$/iu
const FAREWELL =
  /^\W*(?:tsch(?:ü|ue)ss|auf wiedersehen|au revoir|adi[oó]s|hasta luego|ciao|arrivederci|tchau|have a (?:\p{L}+ ){0,2}(?:day|evening|night|weekend|week|one)|bye(?: now)?|goodbye(?: now)?|so long|take care|see (?:you|ya))\W*$/iu

/** A message that holds thanks in another language, and at most a farewell besides. */
export function thankedAbroad(text: string, { context }: Lesson): Reading | null {
  const said = text.toLowerCase().match(/\p{L}+/gu) ?? []
  // Before a question, more than thanks may be a yes.
  if (context.dialogue.open !== null && said.some((word) => AGREES_ABROAD.has(word))) return null
  const isThanks =
    said.some((word) => THANKS_ABROAD.has(word)) &&
    said.every((word) => THANKS_ABROAD.has(word) || AROUND_THANKS.has(word))
  return isThanks && !text.includes('?')
    ? readAs([{ type: 'small-talk', kind: 'thanks' }], 'it is thanks')
    : null
}

const THANKS_ABROAD: ReadonlySet<string> = new Set(
  'gracias merci danke dank grazie obrigado obrigada bedankt tack dziękuję dzięki teşekkürler xièxie arigato'.split(
    ' ',
  ),
)

const AGREES_ABROAD: ReadonlySet<string> = new Set(
  'ok okay vale bueno bien gut na accord va bene'.split(' '),
)

const AROUND_THANKS: ReadonlySet<string> = new Set(
  `muchas muchísimas muchisimas mil por todo su tu la ayuda de todos modos igual igualmente vale bueno bien adiós adios
  hasta luego beaucoup bien mille pour votre aide tout quand même bonne journée au revoir d accord vielen herzlichen
  schön schoen sehr trotzdem für ihre hilfe und tschüss na gut tausend molte tante comunque per tutto l aiuto ciao
  muito mesmo assim pela ajuda tchau wel je u hartelijk ok okay thanks thank you so much very`.split(
    /\s+/u,
  ),
)

/** Anger without a request: "this shop is a joke". */
export const vented = (text: string): Reading | null =>
  VENTS.test(text) && !text.includes('?')
    ? readAs([{ type: 'small-talk', kind: 'insult' }], 'it is angry')
    : null

const VENTS =
  /\b(?:joke|useless|ridiculous|unbelievable|pathetic|the worst|terrible|horrible|awful|scam\p{L}*|rip[ -]?off|wtf|bullsh\p{L}*|crap|idiots?|clowns?|disgrace\p{L}*|shame on you|unacceptable|outrageous|garbage|trash|incompetent|fed up|sick of|never again|disgusting|a mess|nonsense|f[u*]+\p{L}*|sh[i*]t\p{L}*|damn)(?!\p{L})/iu
