import type { NormalizeError } from '../../core/model/model.ts'
import { errorNormalizer } from './normalize.ts'

/** Normalizes Anthropic's errors. Their types stand for statuses, which a stream error lacks. */
export const normalizeAnthropicError: NormalizeError = errorNormalizer({
  causes: {
    authentication_error: 'auth',
    permission_error: 'auth',
    billing_error: 'quota',
    not_found_error: 'not-found',
    request_too_large: 'context-length',
    rate_limit_error: 'rate-limit',
    timeout_error: 'timeout',
    api_error: 'unavailable',
    overloaded_error: 'unavailable',
  },
  prose: [
    [/\bprompt is too long\b|\bexceed context limit\b/i, 'context-length'],
    [/\bcredit balance is too low\b/i, 'quota'],
    [/\bblocked by (?:our )?content filtering policy\b/i, 'content-filter'],
  ],
})
