import type { Signals } from './io.ts'

/** Signals that end a command, with the exit status: 128 plus the signal number. */
const STATUS = { SIGTERM: 143, SIGHUP: 129 } as const

type Cause = keyof typeof STATUS

const CAUSES: readonly Cause[] = ['SIGTERM', 'SIGHUP']

/** Tracks whether the command was asked to end, by SIGTERM or because its terminal was closed. */
export class Ending {
  readonly #controller = new AbortController()
  readonly #signals: Signals
  readonly #exit: (status: number) => void
  #cause: Cause | undefined
  #heeding = 0

  /** @param exit ends the process immediately */
  constructor(signals: Signals, exit: (status: number) => void) {
    this.#signals = signals
    this.#exit = exit
  }

  /** Aborted when a signal arrives while `heed` is in effect. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Exit status if the command was asked to end; undefined otherwise. */
  get status(): number | undefined {
    return this.#cause === undefined ? undefined : STATUS[this.#cause]
  }

  /**
   * Makes the signals abort `signal` instead of killing the process, until disposed. A second signal
   * always ends the process.
   */
  heed(): Disposable {
    if (this.#heeding++ === 0) for (const name of CAUSES) this.#signals.on(name, this.#onSignal)
    let isOver = false
    return {
      [Symbol.dispose]: () => {
        if (isOver) return
        isOver = true
        if (--this.#heeding === 0)
          for (const name of CAUSES) this.#signals.off(name, this.#onSignal)
      },
    }
  }

  /** The terminal is gone. A write to it can fail before the signal arrives. */
  loseTerminal(): void {
    if (this.#heeding === 0) return this.#exit(STATUS.SIGHUP)
    if (this.#cause === undefined) this.#onSignal('SIGHUP')
  }

  readonly #onSignal = (name: Cause): void => {
    if (this.#cause !== undefined) return this.#exit(STATUS[this.#cause])
    this.#cause = name
    this.#controller.abort()
  }
}
