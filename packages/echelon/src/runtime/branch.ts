import type { Actors, Note } from '../core/agent/agent.ts'
import { exhausted } from '../core/agent/budget.ts'
import type { Path, SentPrompt, StateChanges } from '../core/journal/journal.ts'
import type { Json, JsonObject } from '../core/value/json.ts'
import type { MiddlewareRun, Pipeline, StateCell } from '../core/extension/middleware.ts'
import type { BoundModel } from '../core/model/model.ts'
import type { Clock, SharedStates } from '../core/agent/ports.ts'
import type { StateSlot } from '../core/state/state.ts'
import type { RunSpan, TraceContext } from '../core/observability/tracing.ts'
import { MemoryStates } from './memory-states.ts'
import { countersOf } from './model/model-amounts.ts'
import type { OpenStep } from './journal/open-step.ts'
import type { OwnServices } from './services.ts'
import type { ToolRegistry } from './tools/tool-registry.ts'
import type { ChildEnd, ChildRun, Tool } from '../core/tool/tool.ts'
import type { Tree } from './tree.ts'

/** Runs another agent within a tool call of a run. */
export type Delegate = <Input extends Json, State, Result>(
  parent: Branch,
  path: Path,
  run: ChildRun<Input, State, Result>,
  /** The span of the calling tool call. */
  around?: TraceContext,
) => Promise<ChildEnd<Result>>

/** The parts of a run that it does not share with its tree. */
export interface BranchParts {
  readonly path: Path
  /** The agent's name. */
  readonly agent: string
  readonly services: OwnServices
  /** Injected, since a child run uses the loop and the loop must not import itself. */
  readonly delegate: Delegate
  readonly session?: string | undefined
  /** Session of the parent run. */
  readonly forSession?: string | undefined
  /** Role to model, from the journal. */
  readonly bound?: Readonly<Record<string, string>>
  /** The step that was open when the last process died. */
  readonly open?: { readonly seq: number; readonly step: OpenStep } | undefined
}

/** One run of a tree: the root (path `''`), or a child run that a tool started. */
export class Branch implements MiddlewareRun {
  readonly tree: Tree
  readonly path: Path
  readonly agent: string
  readonly services: OwnServices
  readonly delegate: Delegate
  /** Read again for each call, because switching a model changes it. */
  readonly models: OwnServices['models']
  readonly tools: ToolRegistry
  readonly pipeline: Pipeline | undefined
  readonly session: string | undefined
  readonly forSession: string | undefined
  /** When its last step closed; `undefined` before the first. */
  closedAt: number | undefined
  /** `undefined` without tracing. */
  trace: RunSpan | undefined
  #saved: JsonObject = NOTHING_SAVED
  readonly #open: BranchParts['open']
  #bound: Record<string, string> | undefined
  #contexts: Map<string, object> | undefined
  #cells: StateCell[] | undefined
  #shared: SharedStates | undefined
  #sent: SentPrompt | undefined

  constructor(tree: Tree, parts: BranchParts) {
    this.tree = tree
    this.path = parts.path
    this.agent = parts.agent
    this.services = parts.services
    this.delegate = parts.delegate
    this.models = parts.services.models
    this.tools = parts.services.tools
    this.pipeline = parts.services.pipeline
    this.session = parts.session
    this.forSession = parts.session ?? parts.forSession
    this.#open = parts.open
    if (parts.bound !== undefined) this.#bound = { ...parts.bound }
  }

  /** The part of this step that a crash left open. */
  leftOpen(seq: number): OpenStep | undefined {
    return this.#open?.seq === seq ? this.#open.step : undefined
  }

  /** The current model of a role. A change since the last call is recorded. */
  modelFor(role: string): BoundModel | undefined {
    const model = Object.hasOwn(this.models, role) ? this.models[role] : undefined
    if (model === undefined) return undefined
    this.#bound ??= {}
    const before = this.#bound[role]
    if (before === model.id) return model
    this.#bound[role] = model.id
    if (before !== undefined) this.#recordSwitch(role, model.id)
    return model
  }

  /** Role to model at the start of the run. */
  bindModels(): Readonly<Record<string, string>> {
    const bound: Record<string, string> = {}
    for (const role in this.models) {
      const model = this.models[role]
      if (model !== undefined) bound[role] = model.id
    }
    this.#bound = bound
    return { ...bound }
  }

  /** Role to model at the last call or at the start. */
  get bound(): Readonly<Record<string, string>> {
    return { ...this.#bound }
  }

  emitNotes(seq: number, at: number, notes: readonly Note[] | undefined): void {
    if (notes === undefined) return
    if (this.trace !== undefined) for (const note of notes) this.trace.note(note)
    if (!this.tree.audience.hears('note')) return
    for (const [index, note] of notes.entries()) {
      const id = `${this.tree.runId}:${this.path}${seq}.${index}`
      this.tree.audience.tell({ type: 'note', path: this.path, seq, id, at, note })
    }
  }

  /** Set when filters changed a prompt, for the record of the step. */
  sent(prompt: SentPrompt): void {
    this.#sent = prompt
  }

  takeSentPrompt(): SentPrompt | undefined {
    const sent = this.#sent
    if (sent !== undefined) this.#sent = undefined
    return sent
  }

  // ---- states of middleware ----

  /** Set before the first hook: states of the session, or recorded ones. */
  load(saved: JsonObject): void {
    this.#saved = saved
  }

  /** The states that changed since the last call, each complete. */
  takeStates(): { readonly states?: StateChanges } {
    if (this.#cells === undefined) return NO_CHANGES
    let states: Record<string, Json> | undefined
    for (const cell of this.#cells) {
      if (!cell.dirty) continue
      cell.dirty = false
      states ??= {}
      states[cell.slot.key] = cell.save()
    }
    return states === undefined ? NO_CHANGES : { states }
  }

  /** The current states of scope `session`. */
  sessionStates(): JsonObject {
    return this.#statesWhere(({ scope }) => scope === 'session')
  }

  /** All current states that are stored. */
  states(): JsonObject {
    return this.#statesWhere(({ scope }) => scope !== 'shared')
  }

  #statesWhere(isAsked: (slot: StateSlot) => boolean): JsonObject {
    const states: Record<string, Json> = {}
    for (const slot of this.pipeline?.slots ?? []) {
      const saved = this.#saved[slot.key]
      if (saved !== undefined && isAsked(slot)) states[slot.key] = saved
    }
    for (const cell of this.#cells ?? []) {
      if (isAsked(cell.slot)) states[cell.slot.key] = cell.save()
    }
    return states
  }

  // ---- the run as middleware sees it ----

  get runId(): string {
    return this.tree.runId
  }
  get caller(): string | undefined {
    return this.tree.caller
  }
  get container(): unknown {
    return this.services.container
  }
  get clock(): Clock {
    return this.tree.clock
  }
  get signal(): AbortSignal {
    return this.tree.cancelSignal
  }
  get msLeft(): number {
    return this.tree.msLeft
  }
  mayCall(role: string): boolean {
    const { ledger } = this.tree
    const isFree = (ledger.spent['money'] ?? 0) === 0
    const purses = isFree ? ['tokens'] : ['tokens', 'money']
    const { calls, oneCall } = countersOf(role)
    return (
      ledger.impossible(oneCall) === undefined &&
      exhausted(ledger, [calls, ...purses]) === undefined
    )
  }
  get contexts(): Map<string, object> {
    this.#contexts ??= new Map()
    return this.#contexts
  }
  get shared(): SharedStates {
    this.#shared ??= this.services.sharedStates ?? new MemoryStates()
    return this.#shared
  }
  random(): number {
    return this.tree.random()
  }
  pause(ms: number): Promise<void> {
    return this.tree.pause(ms)
  }
  tell(middleware: string, event: string, data: Json): void {
    this.trace?.told(middleware, event)
    if (this.tree.audience.hears('middleware'))
      this.tree.audience.tell({ type: 'middleware', middleware, event, data })
  }
  tool(name: string): Tool | undefined {
    return this.tools.find(name)
  }
  savedState(key: string): Json | undefined {
    return Object.hasOwn(this.#saved, key) ? this.#saved[key] : undefined
  }
  opened(cell: StateCell): void {
    this.#cells ??= []
    this.#cells.push(cell)
  }

  #recordSwitch(role: string, model: string): void {
    const { tree, path } = this
    tree.journal.push({ type: 'bound', path, role, model, at: tree.clock.now() })
    if (tree.audience.hears('model-switch'))
      tree.audience.tell({ type: 'model-switch', path, role, model })
  }
}

/** The part of a definition that checks of its effects need. */
export interface Asking {
  readonly name: string
  readonly actors: Actors
}

const NOTHING_SAVED: JsonObject = {}
const NO_CHANGES: { readonly states?: StateChanges } = {}
