import { type RunEvent, isJsonObject } from 'echelon/runtime'
import { isApproval } from 'echelon/internal/agent'
import type { AssistantContent } from 'echelon/internal/message'
import type { ToolCall, ToolOutcome } from 'echelon/internal/tool'
import { clientCallIn } from '../agents/client-tools.ts'
import type { TurnEnd } from '../agents/served-agent.ts'
import type { TurnPart } from './turn-part.ts'

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>

/**
 * Turns the events of one run, in order, into balanced parts. It also works from the middle of a run, as
 * after a restart: then blocks that began earlier are not shown.
 */
export class TurnParts {
  readonly #clientTools: ReadonlySet<string>
  /** The open text block. */
  #text: string | undefined
  /** All text so far, without white space: an answer that is in it has been shown. */
  #shown = ''
  /** Calls that were shown, and whether their result was. */
  readonly #calls = new Map<string, boolean>()
  /** The calls of the last model answer or of the step that performs them, by the path of the agent. */
  readonly #planned = new Map<string, readonly ToolCall[]>()
  /** Steps of open requests. */
  readonly #open = new Map<string, string>()
  #steps = new Set<string>()
  /** Calls that wait for an approval, by its request. */
  readonly #held = new Map<string, { readonly id: string; readonly tool: string }>()

  constructor({ clientTools = [] }: { readonly clientTools?: readonly string[] } = {}) {
    this.#clientTools = new Set(clientTools)
  }

  *of(event: RunEvent): Generator<TurnPart, void> {
    switch (event.type) {
      case 'run-start':
        yield { type: 'start', run: event.runId, agent: event.agent }
        break
      case 'step-start':
        yield* this.#stepStart(event)
        break
      case 'step-end':
        yield* this.#stepEnd(event)
        break
      case 'text-delta':
        if (event.path === '') yield* this.#delta(`text-${event.seq}`, event.delta)
        break
      case 'said':
        if (event.path === '') {
          yield* this.#delta(`said-${event.seq}`, event.text)
          yield* this.#closeText()
        }
        break
      case 'text-drop':
        if (event.path === '') yield* this.#drop()
        break
      case 'output-partial':
        if (event.path === '') yield { type: 'partial', partial: event.partial }
        break
      case 'tool-start':
        yield* this.#call(event.path, event.call)
        break
      case 'tool-progress':
        yield { type: 'tool-progress', id: event.path + event.call, data: event.data }
        break
      case 'tool-end':
        yield* this.#result(event.path, event.call, event.outcome)
        break
      case 'request-open':
        yield* this.#request(event)
        break
      case 'request-close':
        this.#open.delete(event.request)
        yield { type: 'answered', request: event.request, reply: event.reply }
        yield* this.#denied(event)
        break
      case 'note':
      case 'middleware':
      case 'model-switch':
      case 'model-warning':
      case 'run-suspended':
        yield* this.#aside(event)
        break
      case 'retry-wait':
      case 'schema-changed':
      case 'log':
      case 'run-end':
        break
    }
  }

  /** Everything but text, tools and questions. */
  *#aside(
    event: EventOf<'note' | 'middleware' | 'model-switch' | 'model-warning' | 'run-suspended'>,
  ): Generator<TurnPart, void> {
    switch (event.type) {
      case 'note':
        yield { type: 'note', id: event.id, stage: event.note.stage, data: event.note.data }
        break
      case 'middleware': {
        const { middleware, event: stage, data } = event
        yield { type: 'note', id: `${middleware}:${stage}`, stage, data }
        break
      }
      case 'model-switch':
        if (event.path === '') yield { type: 'model', role: event.role, model: event.model }
        break
      case 'model-warning':
        yield { type: 'warning', message: event.message }
        break
      case 'run-suspended':
        yield* this.#closeText()
        yield { type: 'suspended', requests: event.requests }
        break
    }
  }

  /** The last parts. An answer that was not shown as text is shown now. */
  *end(end: TurnEnd): Generator<TurnPart, void> {
    yield* this.#closeText()
    for (const step of this.#steps) yield { type: 'step-end', step, depth: depthOf(step) }
    this.#steps.clear()
    if (end.text !== '' && !this.#shown.includes(bare(end.text))) {
      yield* this.#delta('answer', end.text)
      yield* this.#closeText()
    }
    yield { type: 'end', end }
  }

  *#stepStart({
    path,
    seq,
    effect,
    actor,
    targets,
  }: EventOf<'step-start'>): Generator<TurnPart, void> {
    const step = `${path}${seq}`
    // A run that is resumed begins its open step again, and opens its requests again.
    if (this.#steps.has(step)) return
    this.#steps.add(step)
    if (effect === 'call-tools') this.#performed(path, targets)
    yield { type: 'step-start', step, depth: depthOf(step), effect, actor, targets }
  }

  /** Of the planned calls, a step performs those whose tools are known, in order. */
  #performed(path: string, tools: readonly string[]): void {
    const rest = (this.#planned.get(path) ?? []).values()
    const calls = tools.flatMap((tool) => rest.find((call) => call.tool === tool) ?? [])
    if (calls.length === tools.length) this.#planned.set(path, calls)
  }

  *#stepEnd({ path, seq, seen }: EventOf<'step-end'>): Generator<TurnPart, void> {
    const step = `${path}${seq}`
    yield* this.#leftOpen(step)
    if (path === '') yield* this.#closeText()
    if (seen.type === 'generated') {
      this.#planned.set(path, seen.calls)
      const text = path === '' ? reasoningIn(seen.content) : ''
      if (text !== '') yield { type: 'reasoning', id: `reasoning-${step}`, text }
    } else if (seen.type === 'tools-called') yield* this.#unshown(path, seen.outcomes)
    if (this.#steps.delete(step)) yield { type: 'step-end', step, depth: depthOf(step) }
  }

  /** Requests of a step that was answered while the run was in no process have no event of their own. */
  *#leftOpen(ended: string): Generator<TurnPart, void> {
    for (const [request, step] of this.#open) {
      if (step !== ended) continue
      this.#open.delete(request)
      this.#held.delete(request)
      yield { type: 'answered', request, reply: null }
    }
  }

  *#delta(id: string, delta: string): Generator<TurnPart, void> {
    if (delta === '') return
    if (this.#text !== id) {
      yield* this.#closeText()
      this.#text = id
      yield { type: 'text-start', id }
    }
    this.#shown += bare(delta)
    yield { type: 'text-delta', id, delta }
  }

  *#closeText(): Generator<TurnPart, void> {
    const id = this.#text
    this.#text = undefined
    if (id !== undefined) yield { type: 'text-end', id }
  }

  *#drop(): Generator<TurnPart, void> {
    const id = this.#text
    if (id === undefined) return
    yield* this.#closeText()
    this.#shown = ''
    yield { type: 'text-drop', id }
  }

  *#call(
    path: string,
    { id, tool, input }: ToolCall,
    held: { readonly isHeld?: true } = {},
  ): Generator<TurnPart, void> {
    const part = path + id
    if (this.#calls.has(part)) return
    this.#calls.set(part, false)
    const byClient = path === '' && this.#clientTools.has(tool)
    yield { type: 'tool-call', id: part, tool, input, depth: depthOf(path), byClient, ...held }
  }

  *#result(path: string, call: ToolCall, outcome: ToolOutcome): Generator<TurnPart, void> {
    yield* this.#call(path, call)
    const id = path + call.id
    if (this.#calls.get(id) === true) return
    this.#calls.set(id, true)
    yield { type: 'tool-result', id, tool: call.tool, outcome }
  }

  /** A call that a rule denied, or a limit refused, has no events of its own. */
  *#unshown(path: string, outcomes: readonly ToolOutcome[]): Generator<TurnPart, void> {
    const planned = this.#planned.get(path) ?? []
    if (planned.length !== outcomes.length) return
    for (const [place, call] of planned.entries()) {
      const outcome = outcomes[place]
      if (outcome !== undefined) yield* this.#result(path, call, outcome)
    }
  }

  *#request({ path, seq, request, about }: EventOf<'request-open'>): Generator<TurnPart, void> {
    yield* this.#closeText()
    if (this.#open.has(request)) return
    this.#open.set(request, `${path}${seq}`)
    if (isApproval(about)) {
      const { call: id, tool, input } = about
      yield* this.#call(path, { id, tool, input }, { isHeld: true })
      this.#held.set(request, { id: path + id, tool })
      yield { type: 'approval', request, call: path + id, about }
      return
    }
    const asked = clientCallIn(about)
    if (asked !== undefined && this.#clientTools.has(asked.tool)) {
      yield* this.#clientTurn(request, asked.index)
      return
    }
    const { question = '', schema = null } = isJsonObject(about) ? about : {}
    yield {
      type: 'question',
      request,
      question: typeof question === 'string' ? question : '',
      schema: isJsonObject(schema) ? schema : null,
    }
  }

  /** A call that is not approved never starts, so no event tells its outcome. */
  *#denied({ request, reply }: EventOf<'request-close'>): Generator<TurnPart, void> {
    const call = this.#held.get(request)
    this.#held.delete(request)
    const choice = isJsonObject(reply) ? reply['choice'] : reply
    if (call === undefined || choice === 'once' || choice === 'always') return
    this.#calls.set(call.id, true)
    const reason = choice === null ? 'nobody approved it' : 'the user did not approve it'
    yield { type: 'tool-result', ...call, outcome: { type: 'denied', reason } }
  }

  /** All calls of the step go to the client at once, since a model expects their results together. */
  *#clientTurn(request: string, asked: number): Generator<TurnPart, void> {
    const made = this.#planned.get('') ?? []
    const own = made.filter(({ tool }) => this.#clientTools.has(tool))
    for (const call of own) yield* this.#call('', call)
    yield {
      type: 'client-turn',
      request,
      calls: own.map(({ id }) => id),
      places: own.map((call) => made.indexOf(call)),
      place: asked,
    }
  }
}

const reasoningIn = (content: AssistantContent = []): string =>
  content.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('\n\n')

/** `3` is a step of the agent itself, `3.0/1` one of a sub-agent. */
const depthOf = (path: string): number => path.split('/').length - 1

const bare = (text: string): string => text.replaceAll(/\s+/g, '')
