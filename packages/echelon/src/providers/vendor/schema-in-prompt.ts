import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'

/**
 * The same call for a model without schema support: requests JSON and puts the schema in the
 * prompt. Such models reject a JSON request whose prompt does not contain the word JSON.
 */
export function withSchemaInPrompt(
  options: LanguageModelV4CallOptions,
): LanguageModelV4CallOptions {
  const { responseFormat, prompt } = options
  if (responseFormat?.type !== 'json' || responseFormat.schema === undefined) return options
  const order = `Answer with nothing but JSON that fits this JSON Schema:\n${JSON.stringify(responseFormat.schema)}`
  const [first, ...others] = prompt
  return {
    ...options,
    responseFormat: { type: 'json' },
    prompt:
      first?.role === 'system'
        ? [{ ...first, content: `${first.content}\n\n${order}` }, ...others]
        : [{ role: 'system', content: order }, ...prompt],
  }
}
