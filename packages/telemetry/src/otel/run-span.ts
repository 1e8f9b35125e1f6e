import type { Attributes, Context } from '@opentelemetry/api'
import type { Note, Amounts, Observation, Effect } from 'echelon/runtime'
import type { Direct, Generated, SingleEffect } from 'echelon/internal/agent'
import { PROBLEMS } from 'echelon/internal/model'
import type {
  ModelSpan,
  Reply,
  RunSpan,
  Span,
  TracedCall,
  TracedEnd,
  TracedRun,
  TracedTool,
  TracedWait,
  ToolSpan,
} from 'echelon/internal/observability'
import type { Telemetry } from './api.ts'
import { Content } from './content.ts'
import { decisionOf, eventOf } from './decisions.ts'
import { OpenSpan, type Trouble, troubleOf, safeName, isSuspension } from './open-span.ts'
import { OtelModelSpan } from './model-span.ts'
import { ECHELON, EVENTS, GEN_AI } from './names.ts'
import { OtelToolSpan } from './tool-span.ts'
import { readTraceContext } from './trace-context.ts'
import { OtelWaitSpan } from './wait-span.ts'

/** A run, or a nested run: `invoke_agent {agent}`. */
export class OtelRunSpan implements RunSpan {
  readonly #telemetry: Telemetry
  readonly #run: TracedRun
  readonly #span: OpenSpan
  readonly #content: Content | undefined
  readonly #agent: Attributes
  #steps = 0
  #modelCalls = 0
  #toolCalls = 0
  #escalations = 0
  #input = 0
  #output = 0
  #verdict: string | undefined

  constructor(telemetry: Telemetry, run: TracedRun) {
    const { agent, session, runId, path, earlier } = run
    this.#telemetry = telemetry
    this.#run = run
    this.#agent = { [GEN_AI.agent]: agent }
    if (telemetry.content !== undefined) this.#content = new Content(telemetry.content, run.redact)
    const { api } = telemetry
    const before =
      earlier === undefined ? undefined : readTraceContext(api, { traceparent: earlier })
    this.#span = new OpenSpan(telemetry, {
      name: `invoke_agent ${agent}`,
      kind: api.SpanKind.INTERNAL,
      parentContext: parentContextOf(telemetry, run),
      ...(before === undefined ? {} : { links: [{ context: before }] }),
      attributes: {
        [GEN_AI.operation]: 'invoke_agent',
        ...this.#agent,
        [ECHELON.run]: runId,
        ...(session === undefined ? {} : { [GEN_AI.conversation]: session }),
        ...(path === '' ? {} : { [ECHELON.path]: path }),
        ...(earlier === undefined ? {} : { [ECHELON.resumed]: true }),
      },
    })
  }

  get traceparent(): string | undefined {
    return this.#span.traceparent
  }

  within<Value>(work: () => Value): Value {
    return this.#span.within(work)
  }

  model(call: TracedCall): ModelSpan {
    return new OtelModelSpan(this.#telemetry, call, {
      parentContext: this.#currentContext(),
      agent: this.#run.agent,
      content: this.#content,
      onCall: (answer?: Generated) => {
        this.#modelCalls++
        this.#input += answer?.usage.input ?? 0
        this.#output += answer?.usage.output ?? 0
      },
    })
  }

  tool(called: TracedTool): ToolSpan {
    return new OtelToolSpan(this.#telemetry, called, {
      run: this.#run,
      parentContext: this.#currentContext(),
      content: this.#content,
      onCall: () => void this.#toolCalls++,
    })
  }

  wait(what: TracedWait): Span<Reply> {
    return new OtelWaitSpan(this.#telemetry, what, {
      agent: this.#agent,
      parentContext: this.#currentContext(),
    })
  }

  saw(seen: Observation, asked: Effect | undefined): void {
    this.#steps++
    if (seen.type !== 'together') return this.#recordRefusals(seen, asked)
    const effects = asked?.type === 'together' ? asked.effects : []
    for (const [place, one] of seen.observations.entries())
      this.#recordRefusals(one, effects[place])
  }

  told(middleware: string, event: string): void {
    const facts = {
      [ECHELON.middleware]: safeName(middleware) ?? '_OTHER',
      [ECHELON.middlewareEvent]: safeName(event) ?? '_OTHER',
    }
    this.#span.span.addEvent(EVENTS.middleware, facts)
    this.#telemetry.instruments.middleware.add(1, { ...this.#agent, ...facts })
  }

  note(note: Note): void {
    const decision = decisionOf(note)
    const { instruments } = this.#telemetry
    this.#span.span.addEvent(eventOf(decision), decision.facts)
    switch (decision.type) {
      case 'verdict':
        this.#verdict = decision.verdict
        return instruments.verdicts.add(1, { ...this.#agent, [ECHELON.verdict]: decision.verdict })
      case 'gate':
        return instruments.decisions.add(1, {
          ...this.#agent,
          [ECHELON.decision]: decision.decision,
        })
      case 'escalation':
        this.#escalations++
        return instruments.escalations.add(1, { ...this.#agent, ...decision.facts })
      case 'note':
    }
  }

  end({ status, reason }: TracedEnd): void {
    const why = safeName(reason) ?? '_OTHER'
    const ended = { [ECHELON.status]: status, [ECHELON.reason]: why }
    this.#span.span.setAttributes(ended)
    this.#close(ended, status === 'canceled' ? undefined : failureIn(reason))
  }

  fail(error: unknown): void {
    const ended = { [ECHELON.status]: isSuspension(error) ? 'suspended' : 'failed' }
    this.#span.span.setAttributes(ended)
    this.#close(ended, troubleOf(error))
  }

  #close(ended: Attributes, trouble: Trouble | undefined): void {
    const { path, limits } = this.#run
    const { instruments } = this.#telemetry
    const { seconds, span } = this.#span
    span.setAttributes({
      [GEN_AI.inputTokens]: this.#input,
      [GEN_AI.outputTokens]: this.#output,
      [ECHELON.steps]: this.#steps,
      ...(this.#verdict === undefined ? {} : { [ECHELON.verdict]: this.#verdict }),
      ...(this.#escalations === 0 ? {} : { [ECHELON.escalations]: this.#escalations }),
      // The whole tree shares one budget, so only the root reports it.
      ...(path === '' ? budget(ECHELON.limit, limits) : {}),
      ...(path === '' ? budget(ECHELON.spent, this.#run.spent()) : {}),
    })
    const errorAttributes = this.#span.close(trouble)
    instruments.runSeconds.record(seconds, { ...this.#agent, ...errorAttributes })
    instruments.runModelCalls.record(this.#modelCalls, this.#agent)
    instruments.runToolCalls.record(this.#toolCalls, this.#agent)
    instruments.runSteps.record(this.#steps, this.#agent)
    instruments.runs.add(1, { ...this.#agent, ...ended, ...errorAttributes })
  }

  /** Records why a step, or a call in it, was refused. */
  #recordRefusals(seen: Observation | Direct, asked: Effect | SingleEffect | undefined): void {
    if (seen.type === 'refused') return this.#refused(seen.by, seen.limit)
    if (seen.type !== 'tools-called') return
    const calls = asked?.type === 'call-tools' ? asked.calls : []
    for (const [place, outcome] of seen.outcomes.entries()) {
      const tool = this.#toolNamed(calls[place]?.tool)
      if (outcome.type === 'refused') this.#refused('budget', outcome.limit, tool)
      // The reason is free text, so it is not exported.
      else if (outcome.type === 'denied') this.#refused('permission', 'tool', tool)
    }
  }

  #toolNamed(name = ''): Attributes {
    return { [GEN_AI.tool]: this.#run.hasTool(name) ? name : '_OTHER' }
  }

  #refused(by: string, limit: string, tool: Attributes = {}): void {
    const word = safeName(limit) ?? '_OTHER'
    const facts = { [ECHELON.refusedBy]: by, [ECHELON.refusedLimit]: word, ...tool }
    this.#span.span.addEvent(EVENTS.refusal, facts)
    this.#telemetry.instruments.refusals.add(1, { ...this.#agent, ...facts })
  }

  /** Inside the active span of middleware, if there is one in this trace. */
  #currentContext(): Context {
    const { api } = this.#telemetry
    const active = api.context.active()
    const { traceId } = this.#span.span.spanContext()
    return api.trace.getSpanContext(active)?.traceId === traceId ? active : this.#span.context
  }
}

/**
 * Parent context of a run: its caller, else the active span, else the parent of the program, else the
 * earlier part of the run.
 */
function parentContextOf(
  { api, parent: programParent }: Telemetry,
  { parent, earlier }: TracedRun,
): Context {
  const active = api.context.active()
  const here = api.trace.getSpanContext(active)
  const caller = parent && readTraceContext(api, parent)
  // The active context holds the same span with more detail than the header.
  if (caller !== undefined && caller.spanId === here?.spanId) return active
  if (caller !== undefined) return api.trace.setSpanContext(active, caller)
  if (here !== undefined) return active
  const before =
    programParent ??
    (earlier === undefined ? undefined : readTraceContext(api, { traceparent: earlier }))
  return before === undefined ? active : api.trace.setSpanContext(active, before)
}

/** A run that ended with a failure reason counts as failed. */
const failureIn = (reason: string): Trouble | undefined =>
  reason !== 'aborted' && Object.hasOwn(PROBLEMS, reason)
    ? { type: reason, isError: true }
    : undefined

const budget = (prefix: string, amounts: Amounts): Attributes =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [`${prefix}${name}`, amount]))
