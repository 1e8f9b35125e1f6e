import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Json } from '../../src/core/json.ts'
import { endOf, spawnProgram } from './lives.ts'

/** What a contender says of itself. */
export type Said =
  | { readonly type: 'ready' }
  | { readonly type: 'held' }
  | { readonly type: 'ended'; readonly reason: string; readonly result: Json }
  | { readonly type: 'refused'; readonly code: string; readonly message: string }

interface Wanted {
  readonly folder: string
  readonly run: string
  readonly session: string
  readonly leaseMs?: number
  /** Before which of its appends it stands still; default none. */
  readonly hold?: number
}

/** A process that is told when to go on, and to stand still. */
export class Contender {
  readonly over: Promise<NodeJS.Signals | null>
  readonly #child: ChildProcess
  readonly #said: Said[] = []

  private constructor(child: ChildProcess) {
    this.#child = child
    child.on('message', (said: Said) => this.#said.push(said))
    this.over = endOf(child)
  }

  /** One that has opened the store and waits for its word. */
  static async ready({ folder, run, session, leaseMs = 30_000, hold = -1 }: Wanted): Promise<Contender> {
    const given = [folder, run, session, String(leaseMs), String(hold)]
    const contender = new Contender(spawnProgram(folder, 'contender.ts', ...given))
    await contender.says('ready')
    return contender
  }

  go(): void {
    this.#child.send('go')
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  pause(): void {
    this.#child.kill('SIGSTOP')
  }

  wake(): void {
    this.#child.kill('SIGCONT')
  }

  /** The next thing that it says, of these. */
  async says(...types: readonly Said['type'][]): Promise<Said> {
    for (;;) {
      const said = this.#said.shift()
      if (said === undefined) await Promise.race([once(this.#child, 'message'), this.over])
      else if (types.includes(said.type)) return said
      if (this.#said.length === 0 && this.#child.exitCode !== null) {
        throw new Error(`it ended before it said ${types.join(' or ')}`)
      }
    }
  }
}
