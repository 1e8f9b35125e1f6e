import type { NormalizeError } from '../../core/model/model.ts'
import { CHAT_ERRORS } from './chat.ts'
import { errorNormalizer } from './normalize.ts'

/** Normalizes OpenAI's errors, and our own error about an unserved interface. */
export const normalizeOpenaiError: NormalizeError = errorNormalizer({
  ...CHAT_ERRORS,
  causes: {
    ...CHAT_ERRORS.causes,
    // A stored conversation that no longer exists.
    previous_response_not_found: 'not-found',
    // Our own code: the interface was not served, and the next call uses another one.
    interface_switched: 'unavailable',
  },
})
