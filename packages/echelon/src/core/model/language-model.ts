import type {
  LanguageModelV2,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultOutput,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolResultOutput,
  SharedV4FileData,
} from '@ai-sdk/provider'
import { base64 } from '../value/base64.ts'
import { EchelonError } from '../value/error.ts'
import { mappedStream } from './mapped-stream.ts'

/** A model of any AI SDK package, with any version of the interface. */
export type AnyLanguageModel = LanguageModelV2 | LanguageModelV3 | LanguageModelV4

/**
 * Returns a model as the runtime calls it. A v3 model is adapted: options that v3 lacks, such as the
 * reasoning effort, are left out of its calls. A v2 model reports too little about why an answer ended
 * and what it used.
 *
 * @throws EchelonError INVALID_DEFINITION for v2 and for anything that is not a model, with what to install
 */
export function asLanguageModel(model: AnyLanguageModel): LanguageModelV4 {
  if (model.specificationVersion === 'v4') return model
  if (model.specificationVersion === 'v3') return adapted(model)
  throw refused(model)
}

function refused({ specificationVersion: version, provider }: LanguageModelV2): EchelonError {
  const vendor = /^[a-z0-9-]+/.exec(provider)?.[0] ?? provider
  return new EchelonError(
    'INVALID_DEFINITION',
    `a model of ${provider} has version ${version} of the model interface, and v4 or v3 is needed; install a later version of its package, such as with npm install @ai-sdk/${vendor}@latest`,
    { details: { version, provider } },
  )
}

function adapted(model: LanguageModelV3): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(options) {
      const result = await model.doGenerate(toV3(options))
      return { ...result, content: result.content.map(fromV3) }
    },
    async doStream(options) {
      const result = await model.doStream(toV3(options))
      const stream = mappedStream(result.stream, (part): LanguageModelV4StreamPart =>
        part.type === 'file' ? withTag(part) : part,
      )
      return { ...result, stream }
    },
  }
}

function toV3({
  reasoning: _reasoning,
  ...options
}: LanguageModelV4CallOptions): LanguageModelV3CallOptions {
  return { ...options, prompt: options.prompt.map(messageToV3) }
}

function messageToV3(message: LanguageModelV4Message): LanguageModelV3Prompt[number] {
  switch (message.role) {
    case 'system':
      return message
    case 'user':
      return { ...message, content: message.content.map((part) => fileToV3(part)) }
    case 'assistant':
      return {
        ...message,
        content: message.content.flatMap((part) => assistantPartToV3(part) ?? []),
      }
    case 'tool':
      return { ...message, content: message.content.map((part) => resultToV3(part)) }
  }
}

type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number]
type AssistantV3 = Extract<LanguageModelV3Prompt[number], { role: 'assistant' }>['content'][number]

function assistantPartToV3(part: Assistant): AssistantV3 | undefined {
  switch (part.type) {
    case 'file':
      return fileToV3(part)
    case 'tool-result':
      return resultToV3(part)
    case 'custom':
    case 'reasoning-file':
      return undefined
    case 'text':
    case 'reasoning':
    case 'tool-call':
      return part
  }
}

type FilePart = Extract<Assistant, { type: 'file' }>
type FilePartV3 = Extract<AssistantV3, { type: 'file' }>
type TextPart = Extract<Assistant, { type: 'text' }>

function fileToV3(part: FilePart | TextPart): FilePartV3 | TextPart {
  if (part.type === 'text') return part
  const { data, ...others } = part
  if (data.type === 'text') return { type: 'text', text: data.text }
  return { ...others, data: data.type === 'url' ? data.url : bytesOf(data) }
}

function bytesOf(data: Exclude<SharedV4FileData, { type: 'url' | 'text' }>): Uint8Array | string {
  if (data.type === 'data') return data.data
  throw new EchelonError(
    'INVALID_INPUT',
    'the file is given by a provider’s id, which models of version v3 cannot read; give its bytes or its URL',
  )
}

type Result = Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number]
type ResultV3 = Extract<LanguageModelV3Prompt[number], { role: 'tool' }>['content'][number]

function resultToV3(
  part: Extract<Result, { type: 'tool-result' }>,
): Extract<ResultV3, { type: 'tool-result' }>
function resultToV3(part: Result): ResultV3
function resultToV3(part: Result): ResultV3 {
  if (part.type !== 'tool-result') return part
  const { output } = part
  return { ...part, output: output.type === 'content' ? contentsToV3(output) : output }
}

type Contents = Extract<LanguageModelV4ToolResultOutput, { type: 'content' }>
type ContentsV3 = Extract<LanguageModelV3ToolResultOutput, { type: 'content' }>
const contentsToV3 = (output: Contents): ContentsV3 => ({
  ...output,
  value: output.value.map(contentToV3),
})

function contentToV3(part: Contents['value'][number]): ContentsV3['value'][number] {
  if (part.type !== 'file') return part
  const { data, mediaType, filename, providerOptions } = part
  const own = providerOptions === undefined ? {} : { providerOptions }
  switch (data.type) {
    case 'data': {
      const text = typeof data.data === 'string' ? data.data : base64(data.data)
      const named = filename === undefined ? {} : { filename }
      return { type: 'file-data', data: text, mediaType, ...named, ...own }
    }
    case 'url':
      return { type: 'file-url', url: data.url.href, ...own }
    case 'reference':
      return { type: 'file-id', fileId: data.reference, ...own }
    case 'text':
      return { type: 'text', text: data.text, ...own }
  }
}

const fromV3 = (part: LanguageModelV3Content): LanguageModelV4Content =>
  part.type === 'file' ? withTag(part) : part

type FileV3 = Extract<LanguageModelV3Content, { type: 'file' }>

const withTag = (part: FileV3) => ({ ...part, data: { type: 'data', data: part.data } as const })
