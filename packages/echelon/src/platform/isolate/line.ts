import type { Socket } from 'node:net'
import { ToolError } from '../../core/tool/tool.ts'
import { channel } from './channel.ts'
import { isMessage, type Question } from './message.ts'

/** A worker connection that carries one question at a time. */
export interface Line<Output> {
  /** Resolves when the worker has loaded its module; may already be resolved. */
  readonly loaded: Promise<void>
  isLoaded(): boolean
  /** Rejects with the `ToolError` from the worker. Stays pending if it never answers. */
  ask(text: string): Promise<Output>
}

/**
 * @param broken called for anything but an answer to the current question, and when the worker is
 * spent
 */
export function line<Output>(pipe: Socket, broken: () => void): Line<Output> {
  const { promise: loaded, resolve: setLoaded } = Promise.withResolvers<void>()
  let isLoaded = false
  let asked = 0
  let waiting: PromiseWithResolvers<Output> | undefined

  function receive(message: unknown): void {
    if (!isMessage<Output>(message)) return broken()
    if (message.type === 'ready') {
      if (isLoaded) return broken()
      isLoaded = true
      return setLoaded()
    }
    // An unexpected answer would be taken for that to the next question.
    if (waiting === undefined || message.number !== asked) return broken()
    const { resolve, reject } = waiting
    waiting = undefined
    if (message.isSpent) broken()
    if (message.type === 'ok') return resolve(message.value)
    return reject(new ToolError(message.code, message.message, { fault: message.fault }))
  }

  const { send } = channel(pipe, receive, broken)
  return {
    loaded,
    isLoaded: () => isLoaded,
    ask(text) {
      asked += 1
      waiting = Promise.withResolvers<Output>()
      send({ number: asked, text } satisfies Question)
      return waiting.promise
    },
  }
}
