import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { EchelonError } from '../../core/value/error.ts'
import { isJson } from '../../core/value/json.ts'
import type {
  Layer,
  MiddlewareContext,
  MiddlewareHost,
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
   * What is personal data or a secret. Default `DEFAULT_REDACTION`: by the names of fields, and by
   * what texts look like.
   */
  readonly policy?: RedactionPolicy
  /** `in`: what the model is sent; `out`: what it answers; or `both`. Default `in`. */
  readonly direction?: 'in' | 'out' | 'both'
  /**
   * `mask` (the default) puts `[redacted:email]` in its place for good. `restore` puts
   * `[redacted:email#1]`, the same for the same value, and back what it stands for in the model's
   * answer and in what it calls tools with.
   */
  readonly mode?: 'mask' | 'restore'
  /** Whether a model that is sent placeholders is told to write them as they are. Default true. */
  readonly explain?: boolean
}

/**
 * Keeps personal data and secrets from the model, or out of its answers.
 *
 * `in`: in what users, tools and earlier answers say it is replaced before it is sent. System messages
 * and files other than texts are sent as they are, but for the names of files; the conversation, its journal and its session hold
 * what was said as it was. `out`: in the text of an answer it is masked before it is shown and kept,
 * a paragraph at a time while it streams, so that the result is the same; what tools are called with
 * is not. With `restore` and `both`, only what the model made up itself is masked; what is written as a
 * placeholder by anybody else stands for itself and nobody's data.
 *
 * Stand it outside of `caching`, so that no cache holds the data, and within `retry`. Tells `redacted`
 * with how many new finds of each kind there are (`field`: hidden for its name). It keeps no state: with `restore`, placeholders
 * are numbered in the order of the conversation, and held in memory while the run lasts. On resume they
 * are derived from the conversation anew.
 * @throws EchelonError INVALID_CONFIG for an option that cannot work, such as `restore` where
 * nothing is sent redacted
 */
export function piiRedaction(options: PiiRedactionOptions = {}): Layer<'piiRedaction', undefined> {
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
  const prompts = new WeakMap<MiddlewareHost, RedactedPrompt>()
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

/** The call, with what comes of it as if nothing had been replaced. */
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
