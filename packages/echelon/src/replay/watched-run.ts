import type { Json } from '../core/value/json.ts'

/** The part of a run that callers act on. */
export interface SteeredRun {
  readonly id: string
  readonly requests: readonly string[]
  respond(request: string, reply: Json): void
  hear(text: string): void
  cancel(): void
}

/** Replacements for the run's own methods. */
export type Steering = Pick<SteeredRun, 'respond' | 'hear' | 'cancel'>

/** The same run with external actions redirected to `steering`. */
export function watchedRun<Watched extends SteeredRun>(run: Watched, steering: Steering): Watched {
  return new Proxy(run, {
    get(target, name) {
      if (name === 'respond' || name === 'hear' || name === 'cancel') return steering[name]
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
