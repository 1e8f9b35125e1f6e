import { EchelonError } from '../value/error.ts'
import type { Json } from '../value/json.ts'
import type { Immutable, MiddlewareContext, MiddlewareRun, StateCell } from './middleware.ts'
import { loadState, storedState } from '../state/state-slot.ts'
import type { StateSlot, StateSpec } from '../state/state.ts'

/** The context of a middleware in a run, created at the first call of one of its hooks. */
export type ContextOf<State> = (run: MiddlewareRun) => MiddlewareContext<State>

class Telling {
  readonly run: MiddlewareRun
  readonly #name: string
  constructor(run: MiddlewareRun, name: string) {
    this.run = run
    this.#name = name
  }
  // A function that can be destructured; created on demand.
  get emit(): MiddlewareContext<unknown>['emit'] {
    return (event: string, data: Json = null) => this.run.tell(this.#name, event, data)
  }
}

/** For middleware without a state. */
export function statelessContexts<State>(key: string, name: string): ContextOf<State> {
  const stateless = (): EchelonError =>
    new EchelonError('INVALID_DEFINITION', `the middleware ${name} declares no state`)
  class Context extends Telling implements MiddlewareContext<State> {
    readonly update = (): never => {
      throw stateless()
    }
    get state(): never {
      throw stateless()
    }
  }
  return contextFor(key, Context, (run) => new Context(run, name))
}

/** For middleware with a state of any scope. */
export function contextsOf<State>(
  name: string,
  slot: StateSlot,
  spec: StateSpec<State>,
): ContextOf<State> {
  return slot.scope === 'shared' ? shared(name, slot, spec) : recorded(name, slot, spec)
}

/** The state of one run or session, recorded with the entry that changed it. */
function recorded<State>(name: string, slot: StateSlot, spec: StateSpec<State>): ContextOf<State> {
  // A class, so that `instanceof` proves the state's type without a cast.
  class Context extends Telling implements MiddlewareContext<State>, StateCell {
    readonly slot = slot
    dirty = false
    readonly update: MiddlewareContext<State>['update']
    #state: Immutable<State>
    /** As last recorded. */
    #kept: Immutable<State>
    #stored: Json
    constructor(run: MiddlewareRun, state: Immutable<State>, stored: Json) {
      super(run, name)
      this.#state = state
      this.#kept = state
      this.#stored = stored
      this.update = (change) => {
        const next = change(this.#state)
        if (next === this.#state) return
        this.#state = next
        this.dirty = true
      }
    }
    get state(): Immutable<State> {
      return this.#state
    }
    save(): Json {
      if (this.#state === this.#kept) return this.#stored
      try {
        this.#stored = storedState(slot, this.#state)
        this.#kept = this.#state
      } finally {
        // Rejected before it is set, so that the current state can always be recorded.
        this.#state = this.#kept
      }
      return this.#stored
    }
  }
  return contextFor(slot.key, Context, (run) => {
    const saved = run.savedState(slot.key)
    const context = new Context(run, valueOf(slot, spec, saved), saved ?? slot.initial)
    run.opened(context)
    return context
  })
}

/** A state that all runs share: read on each access and written at once. */
function shared<State>(name: string, slot: StateSlot, spec: StateSpec<State>): ContextOf<State> {
  class Context extends Telling implements MiddlewareContext<State> {
    readonly update: MiddlewareContext<State>['update']
    #stored: Json | undefined
    #state: Immutable<State> = valueOf(slot, spec, undefined)
    constructor(run: MiddlewareRun) {
      super(run, name)
      this.update = (change) => {
        const before = this.state
        const next = change(before)
        if (next === before) return
        const stored = storedState(slot, next)
        this.#state = next
        this.#stored = stored
        run.shared.set(slot.key, stored)
      }
    }
    get state(): Immutable<State> {
      const stored = this.run.shared.get(slot.key)
      if (stored !== this.#stored) {
        this.#state = valueOf(slot, spec, stored)
        this.#stored = stored
      }
      return this.#state
    }
  }
  return contextFor(slot.key, Context, (run) => new Context(run))
}

/** One for each run: the class identifies its owner. */
function contextFor<Kept extends object>(
  key: string,
  made: abstract new (...args: never[]) => Kept,
  open: (run: MiddlewareRun) => Kept,
): (run: MiddlewareRun) => Kept {
  return (run) => {
    const had = run.contexts.get(key)
    if (had instanceof made) return had
    const opened = open(run)
    run.contexts.set(key, opened)
    return opened
  }
}

function valueOf<State>(
  slot: StateSlot,
  spec: StateSpec<State>,
  stored: Json | undefined,
): Immutable<State> {
  return unchangeable(stored === undefined ? spec.initial : loadState(slot, spec, stored))
}

// No value is copied or frozen: only the types prevent changes in place. An overload states this,
// since the compiler cannot reduce `Immutable` of a generic type.
function unchangeable<State>(state: State): Immutable<State>
function unchangeable(state: unknown): unknown {
  return state
}
