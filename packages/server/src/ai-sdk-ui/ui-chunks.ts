import { isJsonObject, type Json, type JsonObject } from 'echelon/runtime'
import type { TurnEnd } from '../agents/served-agent.ts'
import { callIdOf } from '../runs/call-id.ts'
import { type LoggedEvent, placeOf } from '../runs/run-log.ts'
import type { TurnPart } from '../runs/turn-part.ts'
import { gateOf, gateOfEnd } from './gate-data.ts'

/** A chunk of the AI SDK's UI message stream. */
export type UiChunk = JsonObject & { readonly type: string }

type PartOf<Type extends TurnPart['type']> = Extract<TurnPart, { readonly type: Type }>

/** The name under which a question is a tool of the client, which `addToolOutput` answers. */
const QUESTION = 'question'

/**
 * The mapping table: from the parts of a run to the chunks of one response. A response begins with the
 * run, or after the answer to what it waited for.
 */
export class UiChunks {
  readonly #run: string
  /** The chunks of the open step, which are sent again if its text is taken back; absent without one. */
  #step: UiChunk[] | undefined
  /** Calls of the agent itself that are at work. */
  readonly #working = new Set<string>()
  /** Calls for the client, until it is its turn. */
  readonly #given = new Map<string, UiChunk>()
  readonly #asked = new Map<string, 'approval' | 'question'>()

  constructor(run: string) {
    this.#run = run
  }

  begin(agent: string): readonly UiChunk[] {
    const messageMetadata = { run: this.#run, agent }
    return [{ type: 'start', messageId: this.#run, messageMetadata }]
  }

  /** @param place of the part, which makes ids of data unique */
  of(part: TurnPart, place: Pick<LoggedEvent, 'n' | 'sub'>): readonly UiChunk[] {
    const chunks = this.#of(part, placeOf(place))
    const step = this.#step
    if (step !== undefined) step.push(...chunks.filter(({ type }) => !BOUNDARIES.has(type)))
    return chunks
  }

  /** The end of a response after which the client has to do something. */
  wait(): readonly UiChunk[] {
    return [...this.#stepEnd(), { type: 'finish', finishReason: 'tool-calls' }]
  }

  #of(part: TurnPart, at: string): readonly UiChunk[] {
    switch (part.type) {
      case 'step-start':
        // A step of a UI is a model call and what comes of it.
        return part.depth === 0 && part.effect === 'generate' ? this.#newStep() : []
      case 'text-start':
      case 'text-end':
        return [{ type: part.type, id: part.id }]
      case 'text-delta':
        return [{ type: part.type, id: part.id, delta: part.delta }]
      case 'text-drop':
        return this.#reset(part.id)
      case 'reasoning':
        return [
          { type: 'reasoning-start', id: part.id },
          { type: 'reasoning-delta', id: part.id, delta: part.text },
          { type: 'reasoning-end', id: part.id },
        ]
      case 'partial':
        return [{ type: 'data-output', id: 'output', data: part.partial }]
      case 'tool-call':
      case 'tool-progress':
      case 'tool-result':
        return this.#tool(part)
      case 'approval':
      case 'question':
      case 'client-turn':
      case 'answered':
        return this.#asks(part)
      case 'note':
        return [noteOf(part, at)]
      case 'model':
        return [aside('model', { role: part.role, model: part.model })]
      case 'warning':
        return [aside('warning', { message: part.message })]
      case 'suspended':
        return [...this.#stepEnd(), { type: 'finish', finishReason: 'interrupted' }]
      case 'end':
        return this.#end(part.end)
      case 'start':
      case 'step-end':
        return []
    }
  }

  #newStep(): readonly UiChunk[] {
    const ended = this.#stepEnd()
    this.#step = []
    return [...ended, { type: 'start-step' }]
  }

  #stepEnd(): readonly UiChunk[] {
    const isOpen = this.#step !== undefined
    this.#step = undefined
    return isOpen ? [{ type: 'finish-step' }] : []
  }

  /** `reset-step` takes back all of the step, so what holds is sent again. */
  #reset(text: string): readonly UiChunk[] {
    const kept = (this.#step ?? []).filter(
      ({ type, id }) => !type.startsWith('text-') || id !== text,
    )
    const reopened: readonly UiChunk[] = this.#step === undefined ? [{ type: 'start-step' }] : []
    this.#step = []
    return [...reopened, { type: 'reset-step' }, ...kept]
  }

  #tool(part: PartOf<'tool-call' | 'tool-progress' | 'tool-result'>): readonly UiChunk[] {
    const toolCallId = callIdOf(this.#run, part.id)
    if (part.type === 'tool-progress') {
      const progress = { toolCallId, output: part.data, preliminary: true, providerExecuted: true }
      return [{ type: 'tool-output-available', ...progress }]
    }
    if (part.type === 'tool-result') {
      this.#working.delete(part.id)
      return [resultOf(part, toolCallId)]
    }
    const chunk = {
      type: 'tool-input-available',
      toolCallId,
      toolName: part.tool,
      input: part.input,
    }
    if (part.byClient) {
      this.#given.set(part.id, chunk)
      return []
    }
    // The client sends an answer by itself only if the last step holds nothing but what it answered.
    const parted = part.isHeld === true ? this.#apart() : []
    if (part.isHeld !== true) this.#working.add(part.id)
    return [...parted, { ...chunk, providerExecuted: true }]
  }

  #apart(): readonly UiChunk[] {
    return this.#working.size > 0 || this.#step === undefined ? this.#newStep() : []
  }

  #asks(part: PartOf<'approval' | 'question' | 'client-turn' | 'answered'>): readonly UiChunk[] {
    switch (part.type) {
      case 'approval': {
        this.#asked.set(part.request, 'approval')
        const toolCallId = callIdOf(this.#run, part.call)
        const asked = { approvalId: part.request, toolCallId, reason: part.about.why }
        return [{ type: 'tool-approval-request', ...asked }]
      }
      case 'question': {
        this.#asked.set(part.request, 'question')
        const { request: toolCallId, question, schema } = part
        const asked = { toolCallId, toolName: QUESTION, input: { question, schema } }
        return [...this.#apart(), { type: 'tool-input-available', ...asked }]
      }
      case 'client-turn': {
        const calls = part.calls.flatMap((call) => this.#given.get(call) ?? [])
        for (const call of part.calls) this.#given.delete(call)
        return calls.length === 0 ? [] : [...this.#apart(), ...calls]
      }
      case 'answered':
        return this.#answered(part)
    }
  }

  /** Only what this response asked; a client knows what it answered to an earlier one. */
  #answered({ request, reply }: PartOf<'answered'>): readonly UiChunk[] {
    const kind = this.#asked.get(request)
    if (kind === 'question') {
      return [{ type: 'tool-output-available', toolCallId: request, output: reply }]
    }
    if (kind === undefined) return []
    const choice = isJsonObject(reply) ? reply['choice'] : reply
    const approved = choice === 'once' || choice === 'always'
    return [{ type: 'tool-approval-response', approvalId: request, approved }]
  }

  #end(end: TurnEnd): readonly UiChunk[] {
    const chunks: UiChunk[] = []
    if (end.status !== 'failed' && end.text === '' && end.detail !== null) {
      chunks.push(...sentence(end.detail))
    }
    const gate = gateOfEnd(end)
    if (gate !== undefined) chunks.push({ type: 'data-gate', id: 'gate-end', data: gate })
    chunks.push(...this.#stepEnd())
    const messageMetadata = metadataOf(this.#run, end)
    if (end.status === 'canceled') return [...chunks, { type: 'abort', reason: end.reason }]
    if (end.status === 'failed') {
      const errorText = `the model of the agent failed: ${end.reason}`
      return [
        ...chunks,
        { type: 'message-metadata', messageMetadata },
        { type: 'error', errorText },
      ]
    }
    return [...chunks, { type: 'finish', finishReason: finishOf(end), messageMetadata }]
  }
}

/** They begin or end a step, so they are not part of it. */
const BOUNDARIES: ReadonlySet<string> = new Set(['start-step', 'finish-step', 'reset-step'])

const sentence = (text: string): readonly UiChunk[] => [
  { type: 'text-start', id: 'detail' },
  { type: 'text-delta', id: 'detail', delta: text },
  { type: 'text-end', id: 'detail' },
]

/** Reaches `onData` and stays in no message. */
const aside = (name: string, data: Json): UiChunk => ({
  type: `data-${name}`,
  data,
  transient: true,
})

function noteOf({ stage, data }: PartOf<'note'>, at: string): UiChunk {
  const gate = gateOf(stage, data)
  if (gate === undefined) return aside('note', { stage, data })
  return { type: 'data-gate', id: `gate-${at}`, data: gate }
}

function resultOf({ outcome }: PartOf<'tool-result'>, toolCallId: string): UiChunk {
  switch (outcome.type) {
    case 'ok':
      return { type: 'tool-output-available', toolCallId, output: outcome.value }
    case 'denied':
      return { type: 'tool-output-denied', toolCallId }
    case 'refused': {
      const errorText = outcome.reason ?? `a limit was reached: ${outcome.limit}`
      return { type: 'tool-output-error', toolCallId, errorText }
    }
    case 'error':
    case 'unknown':
      return { type: 'tool-output-error', toolCallId, errorText: outcome.message }
  }
}

const finishOf = ({ reason, detail }: TurnEnd): string =>
  reason === 'length'
    ? 'length'
    : reason === 'filter'
      ? 'content-filter'
      : detail === null
        ? 'stop'
        : 'other'

function metadataOf(run: string, end: TurnEnd): JsonObject {
  const { usage, cost, checked, confidence, escalated, reason, needsInput, rungs } = end
  return {
    run,
    usage: { inputTokens: usage.input, outputTokens: usage.output },
    model: rungs.at(-1)?.model ?? null,
    cost,
    checked,
    confidence,
    escalated,
    reason,
    needsInput,
    rungs: rungs.map((rung) => ({ ...rung })),
  }
}
