import { EchelonError } from '../value/error.ts'
import type { Json } from '../value/json.ts'
import type { Immutable, MiddlewareContext, MiddlewareHost, StateCell } from './middleware.ts'
import { loadState, storedState } from '../state/state-slot.ts'
import type { StateSlot, StateSpec } from '../state/state.ts'

/** The context of a middleware in a run: made when one of its hooks is first called there. */
export type ContextOf<State> = (host: MiddlewareHost) => MiddlewareContext<State>

class Telling {
  readonly run: MiddlewareHost
  readonly #name: string
  constructor(run: MiddlewareHost, name: string) {
    this.run = run
    this.#name = name
  }
  // A function that may be taken out of the context and called alone; made when it is asked for.
  get emit(): MiddlewareContext<unknown>['emit'] {
    return (event: string, data: Json = null) => this.run.tell(this.#name, event, data)
  }
}

/** For a middleware that declares no state. */
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
  return keptIn(key, Context, (host) => new Context(host, name))
}

/** For a middleware that declares one, of whatever scope. */
export function contextsOf<State>(
  name: string,
  slot: StateSlot,
  spec: StateSpec<State>,
): ContextOf<State> {
  return slot.scope === 'shared' ? shared(name, slot, spec) : recorded(name, slot, spec)
}

/** A state of one run or one conversation, recorded with the entry that changed it. */
function recorded<State>(name: string, slot: StateSlot, spec: StateSpec<State>): ContextOf<State> {
  // A class of its own, so that `instanceof` proves the type of the state without a cast.
  class Context extends Telling implements MiddlewareContext<State>, StateCell {
    readonly slot = slot
    dirty = false
    readonly update: MiddlewareContext<State>['update']
    #state: Immutable<State>
    /** As it was last kept. */
    #kept: Immutable<State>
    #stored: Json
    constructor(run: MiddlewareHost, state: Immutable<State>, stored: Json) {
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
        // What cannot be kept is given up: so a conversation can always keep what there is.
        this.#state = this.#kept
      }
      return this.#stored
    }
  }
  return keptIn(slot.key, Context, (host) => {
    const saved = host.savedState(slot.key)
    const context = new Context(host, valueOf(slot, spec, saved), saved ?? slot.initial)
    host.opened(context)
    return context
  })
}

/** A state that all runs have in common: read anew each time, and written at once. */
function shared<State>(name: string, slot: StateSlot, spec: StateSpec<State>): ContextOf<State> {
  class Context extends Telling implements MiddlewareContext<State> {
    readonly update: MiddlewareContext<State>['update']
    #stored: Json | undefined
    #state: Immutable<State> = valueOf(slot, spec, undefined)
    constructor(run: MiddlewareHost) {
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
  return keptIn(slot.key, Context, (host) => new Context(host))
}

/** One for each run: the class tells whose it is. */
function keptIn<Kept extends object>(
  key: string,
  made: abstract new (...args: never[]) => Kept,
  open: (host: MiddlewareHost) => Kept,
): (host: MiddlewareHost) => Kept {
  return (host) => {
    const had = host.contexts.get(key)
    if (had instanceof made) return had
    const opened = open(host)
    host.contexts.set(key, opened)
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

// No value is copied or frozen: the types alone keep it from being changed in place. An overload
// says so, since the compiler cannot reduce `Immutable` of a type that it does not know yet.
function unchangeable<State>(state: State): Immutable<State>
function unchangeable(state: unknown): unknown {
  return state
}
