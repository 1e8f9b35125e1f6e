import type { NormalizeError } from '../../core/model/model.ts'
import { errorNormalizer, type ErrorWords } from './normalize.ts'

/**
 * Errors of chat completions servers, which resemble OpenAI's: hosted ones, vLLM, llama.cpp,
 * Ollama. Includes types next to codes, since an error inside a stream may have only a type.
 */
export const CHAT_ERRORS: ErrorWords = {
  causes: {
    insufficient_quota: 'quota',
    billing_hard_limit_reached: 'quota',
    model_not_found: 'not-found',
    context_length_exceeded: 'context-length',
    invalid_api_key: 'auth',
    content_filter: 'content-filter',
    content_policy_violation: 'content-filter',
    rate_limit_exceeded: 'rate-limit',
    rate_limit_error: 'rate-limit',
    server_error: 'unavailable',
    api_error: 'unavailable',
    overloaded_error: 'unavailable',
    timeout_error: 'timeout',
    billing_error: 'quota',
  },
  prose: [
    [/\bmaximum (?:context|prompt) length\b|\bavailable context size\b/i, 'context-length'],
    [/\bprompt is too long\b/i, 'context-length'],
    [/\bcredit balance is too low\b|\binsufficient (?:balance|credits)\b/i, 'quota'],
  ],
}

/** Normalizes the errors of a chat completions server; also the default for unknown servers. */
export const normalizeChatError: NormalizeError = errorNormalizer(CHAT_ERRORS)
