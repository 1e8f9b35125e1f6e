import { type AGUIEvent, EventType } from '@ag-ui/core'
import type { Owner } from './event-table.ts'

interface OpenStep {
  readonly name: string
  readonly owner: string
  readonly targets: readonly string[]
}

/**
 * The open steps of a run and the sub-agents at work in them, by the paths of steps: `3` is a step of the
 * agent itself, `3.0/1` one of the sub-agent of its first call. All are closed when a stream ends, and
 * opened again by the stream that continues the run.
 */
export class OpenWork {
  readonly #run: string
  readonly #steps = new Map<string, OpenStep>()
  /** In the order of their start, so parents first. */
  readonly #subagents = new Set<string>()

  constructor(run: string) {
    this.#run = run
  }

  /** The owner of a tool call or step with a path in front, at a depth. */
  ownerAt(id: string, depth: number): Owner {
    return this.#ownerOf(id.split('/').slice(0, depth).join('/'))
  }

  *startStep(
    step: string,
    { depth, actor, targets }: { depth: number; actor: string; targets: readonly string[] },
  ): Generator<AGUIEvent, void> {
    const owner = step.split('/').slice(0, depth).join('/')
    if (owner !== '' && !this.#subagents.has(owner)) {
      this.#subagents.add(owner)
      yield this.#started(owner)
    }
    const open = { name: `${actor}:${step}`, owner, targets }
    this.#steps.set(step, open)
    yield this.#stepStarted(open)
  }

  *endStep(step: string): Generator<AGUIEvent, void> {
    const open = this.#steps.get(step)
    if (open === undefined) return
    yield* this.#closeWithin(`${step}.`)
    this.#steps.delete(step)
    yield this.#stepFinished(open)
  }

  /** Closes all for this stream; what is at work stays known. */
  *pause(interrupts: ReadonlyMap<string, readonly string[]>): Generator<AGUIEvent, void> {
    for (const owner of [...this.#subagents].toReversed()) {
      yield* this.#stepsOf(owner).map((step) => this.#stepFinished(step))
      const interruptIds = interrupts.get(this.#idOf(owner))
      const outcome = {
        type: 'suspended' as const,
        ...(interruptIds && { interruptIds: [...interruptIds] }),
      }
      yield { type: EventType.SUBAGENT_FINISHED, subagentRunId: this.#idOf(owner), outcome }
    }
    yield* this.#stepsOf('').map((step) => this.#stepFinished(step))
  }

  /** Opens in a new stream what was at work when the last one ended. */
  *reopen(): Generator<AGUIEvent, void> {
    yield* this.#stepsOf('').map((step) => this.#stepStarted(step))
    for (const owner of this.#subagents) {
      yield this.#started(owner)
      yield* this.#stepsOf(owner).map((step) => this.#stepStarted(step))
    }
  }

  /** Closes all, permanently. */
  *end(): Generator<AGUIEvent, void> {
    yield* this.#closeWithin('')
    for (const step of this.#stepsOf('')) yield this.#stepFinished(step)
    this.#steps.clear()
  }

  *#closeWithin(prefix: string): Generator<AGUIEvent, void> {
    for (const owner of [...this.#subagents].toReversed()) {
      if (!owner.startsWith(prefix)) continue
      for (const [step, open] of this.#steps) {
        if (open.owner !== owner) continue
        this.#steps.delete(step)
        yield this.#stepFinished(open)
      }
      this.#subagents.delete(owner)
      yield { type: EventType.SUBAGENT_FINISHED, subagentRunId: this.#idOf(owner) }
    }
  }

  #stepsOf(owner: string): OpenStep[] {
    return [...this.#steps.values()].filter((step) => step.owner === owner)
  }

  #started(owner: string): AGUIEvent {
    const [, step = '', call = '0'] = /^(.*)\.(\d+)$/s.exec(owner) ?? []
    const parent = this.#steps.get(step)?.owner ?? ''
    return {
      type: EventType.SUBAGENT_STARTED,
      subagentRunId: this.#idOf(owner),
      name: this.#steps.get(step)?.targets[Number(call)] ?? 'agent',
      ...(parent !== '' && { parentSubagentRunId: this.#idOf(parent) }),
    }
  }

  #stepStarted({ name: stepName, owner }: OpenStep): AGUIEvent {
    return { type: EventType.STEP_STARTED, stepName, ...this.#ownerOf(owner) }
  }

  #stepFinished({ name: stepName, owner }: OpenStep): AGUIEvent {
    return { type: EventType.STEP_FINISHED, stepName, ...this.#ownerOf(owner) }
  }

  #ownerOf(owner: string): Owner {
    return owner === '' ? {} : { subagentRunId: this.#idOf(owner) }
  }

  #idOf(owner: string): string {
    return `${this.#run}:${owner}`
  }
}
