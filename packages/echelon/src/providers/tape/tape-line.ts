import type {
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { isJson, isRecord, type Json } from '../../core/value/json.ts'
import { fromJson } from './json-form.ts'
import type { PricePoint } from './price-points.ts'
import type { Asked } from './request.ts'

/** A bound model, under the name by which it was requested. */
export interface ModelLine {
  readonly kind: 'model'
  readonly name: string
  readonly id: string
  readonly provider: string
  readonly modelId: string
}

export interface PriceLine extends PricePoint {
  readonly kind: 'price'
  readonly model: string
}

/** One call, written when it has ended. */
export interface CallLine extends Asked {
  readonly kind: 'call'
  /** Calls are numbered when they begin and may end in another order. */
  readonly n: number
  /** Identifies equal requests on a tape; a replay computes it again. */
  readonly key: string
  readonly outcome: Json
}

export type TapeLine = ModelLine | PriceLine | CallLine

/** A destination for the lines of a tape. */
export interface TapeSink {
  /** The number for a new call. */
  nextCall(): number
  /** Never throws: a failed recording must not end the run. */
  write(line: TapeLine): void
}

/** Numbers the calls of a recording, and writes each model and each price once. */
export class TapeWriter implements TapeSink {
  readonly #append: (line: TapeLine) => void
  readonly #written = new Set<string>()
  #calls = 0

  constructor(append: (line: TapeLine) => void) {
    this.#append = append
  }

  nextCall(): number {
    return ++this.#calls
  }

  write(line: TapeLine): void {
    if (line.kind !== 'call') {
      const text = JSON.stringify(line)
      if (this.#written.has(text)) return
      this.#written.add(text)
    }
    this.#append(line)
  }
}

/** The outcome of a call. */
export type Outcome =
  | { readonly type: 'answered'; readonly answer: LanguageModelV4GenerateResult }
  | (Streamed & { readonly type: 'streamed' })
  | (Partial<Streamed> & { readonly type: 'failed'; readonly error: unknown })
  | (Partial<Streamed> & { readonly type: 'given-up' })

/** A failure before the stream began has no parts; a failure within it has the parts before it. */
interface Streamed {
  readonly parts: readonly LanguageModelV4StreamPart[]
}

/** A recorded call, read back from the tape. */
export interface RecordedCall extends Asked {
  readonly kind: 'call'
  readonly n: number
  readonly outcome: Outcome
}

export type ReadLine = ModelLine | PriceLine | RecordedCall

/** Reads one line of a tape; undefined if it is invalid. */
export function readLine(value: unknown): ReadLine | undefined {
  if (!isRecord(value)) return undefined
  const { kind, name, id, provider, modelId, model, input, output, usd } = value
  if (kind === 'model') {
    if (!isText(name) || !isText(id) || !isText(provider) || !isText(modelId)) return undefined
    return { kind, name, id, provider, modelId }
  }
  if (!isText(model)) return undefined
  if (kind === 'price') {
    const isPrice = isCount(input) && isCount(output) && (isAmount(usd) || usd === null)
    return isPrice ? { kind, model, input, output, usd } : undefined
  }
  const { n, stream, request } = value
  const outcome = isJson(value['outcome'], DEEPEST_LINE) ? readOutcome(value['outcome']) : undefined
  if (kind !== 'call' || outcome === undefined) return undefined
  if (!isCount(n) || typeof stream !== 'boolean' || !isJson(request, DEEPEST_LINE)) return undefined
  const isOther = outcome.type === (stream ? 'answered' : 'streamed')
  return isOther ? undefined : { kind, n, model, stream, request, outcome }
}

/** Written values are cut at depth 64 and nest a little deeper within their line. */
const DEEPEST_LINE = 80

function readOutcome(json: Json): Outcome | undefined {
  const outcome = fromJson(json)
  if (!isRecord(outcome)) return undefined
  const { type, answer, error, parts } = outcome
  if (type === 'answered') return isResult(answer) ? { type, answer } : undefined
  const streamed = isParts(parts) ? { parts } : undefined
  if (parts !== undefined && streamed === undefined) return undefined
  if (type === 'failed') return { type, error, ...streamed }
  if (type === 'given-up') return { type, ...streamed }
  return type === 'streamed' && streamed !== undefined ? { type, ...streamed } : undefined
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0
const isCount = (value: unknown): value is number => isAmount(value) && Number.isSafeInteger(value)

function isResult(value: unknown): value is LanguageModelV4GenerateResult {
  if (!isRecord(value)) return false
  const { content, warnings } = value
  return Array.isArray(content) && content.every(isPart) && isWarnings(warnings) && hasEnd(value)
}

const isParts = (value: unknown): value is readonly LanguageModelV4StreamPart[] =>
  Array.isArray(value) && value.every(isPart)

/** Checks only the fields that callers rely on. Unknown part types pass unchanged. */
function isPart(value: unknown): boolean {
  if (!isRecord(value) || !isText(value['type'])) return false
  const needed = NEEDED[value['type']] ?? []
  return (
    needed.every((name) => isText(value[name])) &&
    (value['type'] !== 'finish' || hasEnd(value)) &&
    (value['type'] !== 'stream-start' || isWarnings(value['warnings']))
  )
}

const NEEDED: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  'text-delta': ['delta'],
  'reasoning-delta': ['delta'],
  'tool-input-delta': ['delta'],
  'tool-call': ['toolCallId', 'toolName', 'input'],
}

function hasEnd({ usage, finishReason }: Readonly<Record<string, unknown>>): boolean {
  return (
    isRecord(finishReason) &&
    isText(finishReason['unified']) &&
    FINISHES.has(finishReason['unified']) &&
    isRecord(usage) &&
    hasTotal(usage['inputTokens']) &&
    hasTotal(usage['outputTokens'])
  )
}

const FINISHES: ReadonlySet<string> = new Set<LanguageModelV4FinishReason['unified']>([
  'stop',
  'length',
  'content-filter',
  'tool-calls',
  'error',
  'other',
])

/** The total is the billed count; a provider may omit it. */
const hasTotal = (tokens: unknown): boolean =>
  isRecord(tokens) && (tokens['total'] === undefined || isCount(tokens['total']))

const isWarnings = (value: unknown): boolean => Array.isArray(value) && value.every(isWarning)

/** Whether a warning has the fields that identify it. A warning of an unknown type is invalid. */
function isWarning(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { type, feature, details, setting, message } = value
  if (type === 'other') return isText(message)
  if (type === 'deprecated') return isText(setting) && isText(message)
  const isKnown = type === 'unsupported' || type === 'compatibility'
  return isKnown && isText(feature) && (details === undefined || isText(details))
}
