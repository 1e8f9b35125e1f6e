import type { Signals } from './io.ts'

/** What tells a command to end, with the exit status of one that did: 128 and the signal's number. */
const STATUS = { SIGTERM: 143, SIGHUP: 129 } as const

type Cause = keyof typeof STATUS

const CAUSES: readonly Cause[] = ['SIGTERM', 'SIGHUP']

/** Whether one run of the command was told to end: by SIGTERM, or because its terminal was closed. */
export class Ending {
  readonly #controller = new AbortController()
  readonly #signals: Signals
  readonly #exit: (status: number) => void
  #cause: Cause | undefined
  #heeding = 0

  /** @param exit leaves at once */
  constructor(signals: Signals, exit: (status: number) => void) {
    this.#signals = signals
    this.#exit = exit
  }

  /** Aborted when the command is told to end while something heeds it. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The exit status of a command that was told to end; undefined if it was not. */
  get status(): number | undefined {
    return this.#cause === undefined ? undefined : STATUS[this.#cause]
  }

  /**
   * Makes the signals abort `signal` instead of killing the process, until this is disposed of. A
   * second signal ends the process in any case.
   */
  heed(): Disposable {
    if (this.#heeding++ === 0) for (const name of CAUSES) this.#signals.on(name, this.#tell)
    let isOver = false
    return {
      [Symbol.dispose]: () => {
        if (isOver) return
        isOver = true
        if (--this.#heeding === 0) for (const name of CAUSES) this.#signals.off(name, this.#tell)
      },
    }
  }

  /** The terminal is gone. A write to it can fail before the signal arrives. */
  loseTerminal(): void {
    if (this.#heeding === 0) return this.#exit(STATUS.SIGHUP)
    if (this.#cause === undefined) this.#tell('SIGHUP')
  }

  readonly #tell = (name: Cause): void => {
    if (this.#cause !== undefined) return this.#exit(STATUS[this.#cause])
    this.#cause = name
    this.#controller.abort()
  }
}
