import type { NormalizeError } from '../../core/model/model.ts'
import { CHAT_ERRORS } from './chat.ts'
import { errorNormalizer } from './normalize.ts'

/** What an error of OpenAI's, or of our way to it, means. */
export const normalizeOpenaiError: NormalizeError = errorNormalizer({
  ...CHAT_ERRORS,
  causes: {
    ...CHAT_ERRORS.causes,
    // A conversation that was stored, and is not any more.
    previous_response_not_found: 'not-found',
    // A word of ours: it was asked where nobody listens, and is known now where to ask.
    interface_switched: 'unavailable',
  },
})
