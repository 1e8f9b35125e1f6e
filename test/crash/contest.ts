import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import type { Program } from '../programs.ts'
import { endOf, spawnProgram } from './lives.ts'

/** A contender's report. */
export type Said =
  | { readonly type: 'ready' }
  | { readonly type: 'held' }
  | { readonly type: 'ended'; readonly reason: string; readonly result: Json }
  | { readonly type: 'refused'; readonly code: string; readonly message: string }

interface Wanted {
  readonly t: Pick<TestContext, 'after'>
  readonly folder: string
  readonly run: string
  readonly session: string
  readonly leaseMs?: number
  /** The append before which it pauses; default none. */
  readonly hold?: number
  /** The program file; default one that starts a journey. */
  readonly program?: Program
}

/** A process that is told when to continue and when to pause. */
export class Contender {
  readonly over: Promise<NodeJS.Signals | null>
  readonly #child: ChildProcess
  readonly #said: Said[] = []

  private constructor(child: ChildProcess) {
    this.#child = child
    child.on('message', (said: Said) => this.#said.push(said))
    this.over = endOf(child)
  }

  /** Starts one that has opened the store and waits for its command. */
  static async ready({
    folder,
    run,
    session,
    leaseMs = 30_000,
    hold = -1,
    program = 'crash/contender.ts',
    t,
  }: Wanted): Promise<Contender> {
    const given = [folder, run, session, String(leaseMs), String(hold)]
    const contender = new Contender(spawnProgram(folder, program, ...given))
    // A paused one would keep the test from ending.
    t.after(() => contender.kill())
    await contender.says('ready')
    return contender
  }

  go(): void {
    this.#child.send('go')
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  /**
   * Stops it, but not during a commit, such as that of its lease: SQLite blocks other writers until the
   * commit is over.
   */
  async pause(file: string): Promise<void> {
    for (;;) {
      this.#child.kill('SIGSTOP')
      await wait(20)
      if (!isLocked(file)) return
      this.#child.kill('SIGCONT')
      await wait(20)
    }
  }

  wake(): void {
    this.#child.kill('SIGCONT')
  }

  /** Its next message of one of these types. */
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

function isLocked(file: string): boolean {
  const db = new DatabaseSync(file, { timeout: 0 })
  try {
    db.exec('begin immediate; rollback')
    return false
  } catch {
    return true
  } finally {
    db.close()
  }
}
