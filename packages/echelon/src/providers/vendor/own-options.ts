import type { JSONObject, LanguageModelV4CallOptions } from '@ai-sdk/provider'

/**
 * A call with options in the words of one provider. What the caller says in these words itself is
 * left as it is.
 */
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
