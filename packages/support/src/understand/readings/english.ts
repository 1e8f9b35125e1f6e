import { followedUp } from '../follow-up.ts'
import { NOT_UNDERSTOOD, type Reading } from '../command.ts'
import { CERTAIN, intentRead, type Lesson } from '../lesson.ts'
import { prospect } from '../afterwards/prospects.ts'
import { turnsUp } from '../afterwards/turns-up.ts'
import { ofOthers } from '../orders-of-others.ts'
import { callBack } from '../questions/call-back.ts'
import { howToDoThat } from '../questions/how-to-do-that.ts'
import { timeToCancel } from '../questions/until-when.ts'
import { ofSending } from '../questions/of-sending.ts'
import { meansOfMoney, moneyPlace } from '../read-questions.ts'
import { answered, corrected, replied, repliedAndWished } from '../read-reply.ts'
import { asksWhich, chosen } from '../replies/chosen.ts'
import { answeredOffer, leftAsItIs } from '../replies/offered.ts'
import { picked } from '../replies/pick-choice.ts'
import { chosenAndAsked } from '../replies/taken-up/chosen-and-asked.ts'
import { restrained } from '../restraint.ts'
import { ofCharges } from '../topics/charges.ts'
import { haggled } from '../topics/haggling.ts'
import { keptForMoney } from '../topics/kept-for-money.ts'
import { placesOrder } from '../topics/own-words.ts'
import { heldBack } from './asks-only.ts'
import { withFallback } from './fallback.ts'
import { directed, returnsInstead, sociable, withdrawn } from './conversation.ts'
import { onceArrived, partOnceArrived } from './once-arrived.ts'
import { onceMore } from './once-more.ts'
import { answeredFromList, hesitant } from './open-question.ts'
import { saidOtherwise } from './said-otherwise.ts'
import { ifLeft } from './if-left.ts'
import { howItWorks, ofDocuments, ofSendingBack, stopsReturn } from './of-documents.ts'
import { toldAround, wished } from './wished.ts'

/** One way to read a message; `null` if it does not fit the message. */
type TryReading = (text: string, lesson: Lesson) => Reading | null

/**
 * The ways to read an English message, in the order in which they are tried: the first that fits is taken. What needs
 * the most context comes first, and what reads anything comes last.
 */
const IN_ORDER: readonly TryReading[] = [
  // What somebody means who was not understood is read as if it were said alone.
  saidOtherwise((text, lesson) => readEnglish(text, lesson)),
  // What is wanted only where the first wish is not possible makes that wish depend on nothing.
  withFallback((text, lesson) => readEnglish(text, lesson)),
  // What would be if nothing is done is what is.
  ifLeft((text, lesson) => readEnglish(text, lesson)),
  // An answer from a list of values: a reason such as "I changed my mind" would otherwise be a refusal.
  answeredFromList,
  // A wish about money has words of a yes, a choice or a request in it: "ok, I'd keep it for ten dollars back".
  haggled,
  keptForMoney,
  // What will be possible, before words of sending back are a choice or a wish.
  onceArrived,
  partOnceArrived,
  // Before a refund is confirmed or chosen, words of sending back are not yet a wish for a return.
  turnsUp,
  timeToCancel,
  chosenAndAsked,
  ofSendingBack,
  stopsReturn,
  howItWorks,
  // An answer to what the agent offered. Elsewhere the same words are a request, or nothing.
  asksWhich,
  chosen,
  picked,
  answeredOffer,
  leftAsItIs,
  // What stops or takes back something, before any of it can be read as a yes or as a request.
  withdrawn,
  returnsInstead,
  restrained,
  // A yes or a no to the open confirmation, and another wish in its place.
  replied,
  ofCharges,
  // What documents answer, whatever it names, before it can be read as a request of the same words.
  ofDocuments,
  // Messages with fixed words, which the learned classifier would take for a request about an order.
  ofOthers,
  callBack,
  directed,
  sociable,
  heldBack,
  howToDoThat,
  prospect,
  // Everything else that a message may say to the open question. A value comes after what changes or delays the answer.
  corrected,
  repliedAndWished,
  hesitant,
  answered,
  // What continues the last answer with a few words: "and the other one?"
  onceMore,
  followedUp,
  // Questions and wishes that share their words with requests, and that examples do not tell apart.
  meansOfMoney,
  unlessCertain(moneyPlace),
  unlessCertain(ofSending),
  unlessCertain(placesOrder),
  // The learned classifier, which finds something in most texts: the whole, and then the part that asks.
  wished,
  toldAround,
]

/** A reading by some words of a message, which gives way to an intent that the classifier is certain of. */
function unlessCertain(tryReading: TryReading): TryReading {
  return (text, lesson) =>
    intentRead(text, lesson, CERTAIN) === null ? tryReading(text, lesson) : null
}

/** Reads an English message. */
export function readEnglish(text: string, lesson: Lesson): Reading {
  for (const tryReading of IN_ORDER) {
    const reading = tryReading(text, lesson)
    if (reading !== null) return reading
  }
  return NOT_UNDERSTOOD
}
