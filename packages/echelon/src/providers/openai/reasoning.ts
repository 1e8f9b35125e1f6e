import type { LanguageModelV4CallOptions, SharedV4Warning } from '@ai-sdk/provider'
import type { Reasoning } from '../../core/model/model.ts'

/** Reasoning models. They reject most sampling options. */
export const reasons = (modelId: string): boolean => /^(?:o\d|gpt-[5-9](?!\d|-chat))/.test(modelId)

/** The reasoning effort to send; undefined to send none. */
export function effortFor(
  modelId: string,
  wanted: Reasoning,
): LanguageModelV4CallOptions['reasoning'] {
  if (wanted === 'provider-default' || NEVER_REASONS.test(modelId)) return undefined
  if (wanted !== 'least') return wanted
  // The SDK turns `none` into the lowest effort known for the model.
  if (EFFORTS_KNOWN.test(modelId)) return 'none'
  return O_SERIES.test(modelId) ? 'low' : undefined
}

/** The SDK's warning that `none` became the lowest effort, which `least` intends. */
export const isLeastEffort = (warning: SharedV4Warning): boolean =>
  warning.type === 'compatibility' && warning.feature === 'reasoning'

const NEVER_REASONS = /^(?:ft:)?(?:gpt-[34]|chatgpt|gpt-5-chat)/

/** Excludes research, code and chat models, whose accepted efforts are not documented. */
const EFFORTS_KNOWN =
  /^gpt-(?:5(?:\.\d+)?(?:-(?:mini|nano|luna|terra|sol))?|[6-9](?:\.\d+)?(?:-[a-z]+)?)(?:-\d{4}-\d\d-\d\d)?$/
const O_SERIES = /^o\d(?:-mini)?(?:-\d{4}-\d\d-\d\d)?$/
