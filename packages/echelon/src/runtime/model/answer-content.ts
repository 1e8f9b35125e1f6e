import type {
  LanguageModelV4Content,
  LanguageModelV4File,
  LanguageModelV4ReasoningFile,
  SharedV4ProviderMetadata,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'
import { base64 } from '../../core/value/base64.ts'
import type { AssistantContent } from '../../core/message/thread.ts'
import { toolInput } from '../tools/tool-input.ts'

type Kept = AssistantContent[number]

/**
 * Converts an answer for the next prompt, part by part in order, with the provider's metadata of each
 * part, such as encrypted reasoning. Undefined if text and calls suffice, which is the usual case and
 * costs one look at each part.
 */
export const contentToKeep = (
  content: readonly LanguageModelV4Content[],
): AssistantContent | undefined =>
  content.some(saysMore) ? content.flatMap((part) => toPrompt(part) ?? []) : undefined

/** Sources and approval requests come with an answer but have no place in a prompt. */
function saysMore(part: LanguageModelV4Content): boolean {
  switch (part.type) {
    case 'text':
      return part.providerMetadata !== undefined
    case 'tool-call':
      return part.providerMetadata !== undefined || part.providerExecuted === true
    case 'source':
    case 'tool-approval-request':
      return false
    case 'reasoning':
    case 'reasoning-file':
    case 'custom':
    case 'file':
    case 'tool-result':
      return true
  }
}

function toPrompt(part: LanguageModelV4Content): Kept | undefined {
  const own = optionsFrom(part.providerMetadata)
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, ...own }
    case 'reasoning':
      return { type: 'reasoning', text: part.text, ...own }
    case 'custom':
      return { type: 'custom', kind: part.kind, ...own }
    case 'file':
      return { type: 'file', mediaType: part.mediaType, data: inText(part.data), ...own }
    case 'reasoning-file':
      return { type: 'reasoning-file', mediaType: part.mediaType, data: inText(part.data), ...own }
    case 'tool-call': {
      const { toolCallId, toolName, input, providerExecuted } = part
      const by = providerExecuted === undefined ? {} : { providerExecuted }
      return { type: 'tool-call', toolCallId, toolName, input: toolInput(input), ...by, ...own }
    }
    case 'tool-result': {
      const { toolCallId, toolName, result, isError = false, preliminary = false } = part
      const type = isError ? 'error-json' : 'json'
      // A preliminary result is replaced by a later one.
      if (preliminary) return undefined
      return { type: 'tool-result', toolCallId, toolName, output: { type, value: result }, ...own }
    }
    case 'source':
    case 'tool-approval-request':
      return undefined
  }
}

const optionsFrom = (
  providerMetadata: SharedV4ProviderMetadata | undefined,
): { providerOptions?: SharedV4ProviderOptions } =>
  providerMetadata === undefined ? {} : { providerOptions: providerMetadata }

type FileData = (LanguageModelV4File | LanguageModelV4ReasoningFile)['data']

/** A journal holds JSON, so bytes are stored as base64. */
function inText(data: FileData): FileData {
  if (data.type !== 'data' || typeof data.data === 'string') return data
  return { type: 'data', data: base64(data.data) }
}
