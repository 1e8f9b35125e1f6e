import type { LanguageModelV4CallOptions, SharedV4Warning } from '@ai-sdk/provider'
import type { Reasoning } from '../../core/model/model.ts'

/** Models that think before they answer; they refuse most of what steers the choice of words. */
export const reasons = (modelId: string): boolean => /^(?:o\d|gpt-[5-9](?!\d|-chat))/.test(modelId)

/** How long a model is told to think; nothing where it is told nothing. */
export function effortFor(
  modelId: string,
  wanted: Reasoning,
): LanguageModelV4CallOptions['reasoning'] {
  if (wanted === 'provider-default' || NEVER_REASONS.test(modelId)) return undefined
  if (wanted !== 'least') return wanted
  // The SDK turns `none` into the lowest effort that the model is known to take.
  if (EFFORTS_KNOWN.test(modelId)) return 'none'
  return O_SERIES.test(modelId) ? 'low' : undefined
}

/** The SDK's word that `none` became the lowest effort: that is what `least` means. */
export const isLeastEffort = (warning: SharedV4Warning): boolean =>
  warning.type === 'compatibility' && warning.feature === 'reasoning'

const NEVER_REASONS = /^(?:ft:)?(?:gpt-[34]|chatgpt|gpt-5-chat)/

/** Not those for research, code and chat: each takes efforts of its own, which are written nowhere. */
const EFFORTS_KNOWN =
  /^gpt-(?:5(?:\.\d+)?(?:-(?:mini|nano|luna|terra|sol))?|[6-9](?:\.\d+)?(?:-[a-z]+)?)(?:-\d{4}-\d\d-\d\d)?$/
const O_SERIES = /^o\d(?:-mini)?(?:-\d{4}-\d\d-\d\d)?$/
