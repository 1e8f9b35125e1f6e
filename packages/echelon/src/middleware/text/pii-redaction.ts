import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { EchelonError } from '../../core/value/error.ts'
import { isJson } from '../../core/value/json.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type {
  MiddlewareContext,
  MiddlewareRun,
  ModelCall,
  ModelOutcome,
} from '../../core/extension/middleware.ts'
import type { Generated } from '../../core/agent/observation.ts'
import {
  createRedactor,
  DEFAULT_REDACTION,
  type RedactionPolicy,
} from '../../core/redaction/redaction.ts'
import { systemMessage, type AssistantContent } from '../../core/message/thread.ts'
import { type Known, knownOptions } from '../option-check.ts'
import { ParagraphMask } from './paragraph-mask.ts'
import { RedactedPrompt } from './redacted-prompt.ts'
import { TextScanner } from './text-scanner.ts'

export interface PiiRedactionOptions {
  /**
   * The rules for personal data and secrets, by field names and by format. Default
   * `DEFAULT_REDACTION`.
   */
  readonly policy?: RedactionPolicy
  /** `in`: what the model is sent; `out`: what it answers; or `both`. Default `in`. */
  readonly direction?: 'in' | 'out' | 'both'
  /**
   * `mask` (the default) replaces a value by `[redacted:email]` permanently. `restore` uses
   * `[redacted:email#1]`, the same for equal values, and restores the value in the model's answer and tool
   * inputs.
   */
  readonly mode?: 'mask' | 'restore'
  /** Whether to tell the model to copy placeholders exactly. Default true. */
  readonly explain?: boolean
}

/**
 * Keeps personal data and secrets from the model, or out of its answers.
 *
 * `in`: redacts the messages of users, tools and earlier answers before they are sent. System messages
 * and files other than text are sent unchanged, except for file names; the conversation, its journal and
 * its session keep the original. `out`: masks the text of an answer before it is shown and kept, one
 * paragraph at a time while it streams, so that the result is the same; tool inputs are not masked. With
 * `restore` and `both`, only values that the model itself made up are masked; a placeholder that came from
 * elsewhere is plain text and reveals no data.
 *
 * Place it outside `caching`, so that no cache holds the data, and inside `retry`. Emits `redacted` with
 * the number of new matches of each kind (`field`: hidden for its name). It keeps no state: with
 * `restore`, placeholders are numbered in the order of the conversation and held in memory for the run.
 * On resume they are derived from the conversation again.
 * @throws EchelonError INVALID_CONFIG for an invalid option, such as `restore` without direction `in` or
 * `both`
 */
export function piiRedaction(
  options: PiiRedactionOptions = {},
): Middleware<'piiRedaction', undefined> {
  knownOptions('piiRedaction', options, OPTIONS)
  const { policy = DEFAULT_REDACTION, direction = 'in', mode = 'mask', explain = true } = options
  if (mode === 'restore' && direction === 'out') {
    throw new EchelonError(
      'INVALID_CONFIG',
      'piiRedaction: only what was replaced on its way in can be put back; use the direction in or both',
    )
  }
  const mask = createRedactor(policy)
  return defineMiddleware({
    name: 'piiRedaction',
    namespace: 'echelon',
    ...(direction !== 'in' && { stream: () => new ParagraphMask(mask) }),
    ...(direction !== 'out' && { generate: sending(policy, mode, explain) }),
  })()
}

const OPTIONS: Known<PiiRedactionOptions> = {
  policy: true,
  direction: ['in', 'out', 'both'],
  mode: ['mask', 'restore'],
  explain: true,
}

type Generating = (
  call: ModelCall,
  next: (call: ModelCall) => Promise<ModelOutcome>,
  context: MiddlewareContext<undefined>,
) => Promise<ModelOutcome>

function sending(policy: RedactionPolicy, mode: 'mask' | 'restore', explain: boolean): Generating {
  const prompts = new WeakMap<MiddlewareRun, RedactedPrompt>()
  return async (call, next, { run, emit }) => {
    const prompt = prompts.get(run) ?? new RedactedPrompt(policy, mode)
    prompts.set(run, prompt)
    const sent = prompt.of(call.prompt)
    const found = prompt.takeFound()
    if (found.length > 0) emit('redacted', { found })
    const { placeholders } = prompt
    if (placeholders === undefined || placeholders.size === 0) {
      return next({ ...call, prompt: sent })
    }
    const head = explain ? [...sent.head, systemMessage(EXPLANATION)] : sent.head
    return restoring({ ...call, prompt: { ...sent, head } }, next, placeholders)
  }
}

const EXPLANATION =
  'Texts such as [redacted:email#1] stand for values that you are not shown. Write them exactly as they are wherever you mean the value, in answers and in tool calls.'

type Placeholders = NonNullable<RedactedPrompt['placeholders']>

/** The call, with an outcome in which placeholders are restored. */
async function restoring(
  call: ModelCall,
  next: (call: ModelCall) => Promise<ModelOutcome>,
  placeholders: Placeholders,
): Promise<ModelOutcome> {
  const finders = [placeholders.finder(call.schema !== undefined)]
  const { onText } = call
  const spoken = new TextScanner(finders)
  const hearing = onText && { onText: (delta: string) => onText(spoken.text(delta)) }
  const outcome = await next({ ...call, ...hearing })
  if (outcome.type !== 'generated') return outcome
  onText?.(spoken.end())
  const restored = (text: string): string => {
    const scanner = new TextScanner(finders)
    return scanner.text(text) + scanner.end()
  }
  return restoredAnswer(outcome, placeholders, restored)
}

function restoredAnswer(
  answer: Generated,
  placeholders: Placeholders,
  restored: (text: string) => string,
): Generated {
  const { text, calls, content } = answer
  return {
    ...answer,
    text: restored(text),
    calls: calls.map((call) => {
      const input = placeholders.restored(call.input)
      return isJson(input) ? { ...call, input } : call
    }),
    ...(content !== undefined && {
      content: content.map((part) => restoredPart(part, placeholders, restored)),
    }),
  }
}

function restoredPart(
  part: AssistantContent[number],
  placeholders: Placeholders,
  restored: (text: string) => string,
): AssistantContent[number] {
  if (part.type === 'text') return { ...part, text: restored(part.text) }
  return part.type === 'tool-call' ? { ...part, input: placeholders.restored(part.input) } : part
}
