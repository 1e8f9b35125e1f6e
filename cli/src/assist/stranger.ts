import {
  DEFAULT_INTENT,
  type Intent,
  isExampleIntent,
  reflect,
  type Reflect,
} from '@echelon/assist'
import { STARTED_AS } from '../started-as.ts'

/** Nothing is held against values that the user never gave. */
const NOBODYS: Pick<Intent, 'north_stars' | 'current_success'> = {
  north_stars: ['what you want'],
  current_success: 'I am glad of it',
}

const OFFER = `No model is set, so I cannot answer this. I can ask about a decision by what you want, and quote your documents: ${STARTED_AS} assist without a message makes an intent of yours with three questions, ${STARTED_AS} knowledge add adds documents, and --model names a model that answers.`

/**
 * Answers without a model. A user without an intent is told what it can't do and offered
 * what it can; after another question, it reflects without the values of the example.
 */
export const reflectToAnybody: Reflect = (input, intent, plan, history) => {
  if (!isExampleIntent(intent)) return reflect({ input, intent, plan, history })
  const isOffered = JSON.stringify(history).includes('No model is set, so I cannot answer')
  if (!isOffered) return OFFER
  const reflected = reflect({ input, intent: { ...intent, ...NOBODYS }, plan, history })
  // That no model answers was said.
  return reflected.split('\n\n').at(-1) ?? reflected
}

/** Said once with an answer under the example intent. */
export const EXAMPLE: string = `This followed the example intent, whose values (${DEFAULT_INTENT.north_stars.map((star) => star.replaceAll('_', ' ')).join(', ')}) are not yours; ${STARTED_AS} intent edit writes your own.`
