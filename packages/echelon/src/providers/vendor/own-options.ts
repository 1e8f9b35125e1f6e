import type { JSONObject, LanguageModelV4CallOptions } from '@ai-sdk/provider'

/** Adds provider options to a call. The caller's own values take precedence. */
export const withOwnOptions = (
  options: LanguageModelV4CallOptions,
  provider: string,
  own: JSONObject,
): LanguageModelV4CallOptions => ({
  ...options,
  providerOptions: {
    ...options.providerOptions,
    [provider]: { ...own, ...options.providerOptions?.[provider] },
  },
})
