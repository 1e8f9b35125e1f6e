import { asks } from '../../understand/read-questions.ts'

/** Whether a text orders something, in so many words. */
export const tellsToAct = (text: string): boolean =>
  !asks(text) &&
  /\b(?:want|need|like|please|pls|plz|give|get|refund|cancel|return|send|change|ship|deliver|stop|exchange|swap)\b/iu.test(
    text,
  )
