import type { Json } from '../core/value/json.ts'

/** What of a run its caller can do something to it by. */
export interface SteeredRun {
  readonly id: string
  readonly requests: readonly string[]
  respond(request: string, reply: Json): void
  hear(text: string): void
  cancel(): void
}

/** What is called in place of the run's own methods. */
export type Steering = Pick<SteeredRun, 'respond' | 'hear' | 'cancel'>

/** The same run, but for what is done to it from outside. */
export function watchedRun<Watched extends SteeredRun>(run: Watched, steering: Steering): Watched {
  return new Proxy(run, {
    get(target, name) {
      if (name === 'respond' || name === 'hear' || name === 'cancel') return steering[name]
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
