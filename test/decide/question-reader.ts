import { readQuestion } from '../../src/agents/decide/question.ts'
import { agreeing, type QuestionReader } from '../../src/agents/decide/question/agreement.ts'
import { readSecond } from '../../src/providers/offline/second-reading.ts'

/** The reader that `createDecider` composes. */
export const readAgreed: QuestionReader = agreeing(readQuestion, readSecond)
