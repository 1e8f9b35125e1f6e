import assert from 'node:assert/strict'
import type { Clock } from '../../core/agent/ports.ts'
import { casesOf, type ContractCase } from '../contract.ts'

/** A clock, and a way to let its time pass. */
export interface ClockTrial {
  readonly clock: Clock
  /** Lets so many milliseconds pass, and what falls due be called. */
  readonly pass: (ms: number) => void | Promise<void>
}

/** A timer of the machine counts other parts of a millisecond than its clock. */
const ROUNDING = 1

/**
 * What every `Clock` must do: `for (const { name, holds } of clockContract(open)) test(name, holds)`.
 * A second of its time passes in the longest case.
 * @param open a clock for each case, on which nothing waits yet
 */
export function clockContract(
  open: () => ClockTrial | Promise<ClockTrial>,
): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('it tells milliseconds, which never go back', async ({ clock, pass }) => {
      const before = clock.now()
      assert.ok(Number.isFinite(before))
      await pass(100)
      assert.ok(clock.now() >= before + 100 - ROUNDING)
    }),
    caseOf('it calls back once, not before the time and never at once', async (trial) => {
      const { clock, pass } = trial
      const began = clock.now()
      const calls: number[] = []
      clock.after(200, () => void calls.push(clock.now()))
      clock.after(0, () => void calls.push(clock.now()))
      assert.deepEqual(calls, [])
      await pass(100)
      assert.equal(calls.length, 1)
      await pass(900)
      assert.equal(calls.length, 2)
      assert.ok((calls[1] ?? 0) >= began + 200 - ROUNDING)
    }),
    caseOf('it calls back in the order in which things fall due', async ({ clock, pass }) => {
      const calls: string[] = []
      clock.after(300, () => void calls.push('late'))
      clock.after(100, () => void calls.push('early'))
      clock.after(200, () => void calls.push('between'))
      await pass(1000)
      assert.deepEqual(calls, ['early', 'between', 'late'])
    }),
    caseOf('it calls back for a time limit in time, unless that is forgotten', async (trial) => {
      const { clock, pass } = trial
      const calls: string[] = []
      clock.after(100, () => void calls.push('kept'), 'limit')
      const early = clock.after(100, () => void calls.push('forgotten at once'), 'limit')
      const late = clock.after(100, () => void calls.push('forgotten later'), 'limit')
      early()
      // The clock may set the timer of a limit only now.
      await new Promise((resolve) => setImmediate(resolve))
      late()
      await pass(50)
      assert.deepEqual(calls, [])
      await pass(950)
      assert.deepEqual(calls, ['kept'])
    }),
    caseOf('what is forgotten is not called, and may be forgotten again', async (trial) => {
      const calls: string[] = []
      const forget = trial.clock.after(100, () => void calls.push('forgotten'))
      const keep = trial.clock.after(100, () => void calls.push('kept'))
      forget()
      forget()
      await trial.pass(1000)
      assert.deepEqual(calls, ['kept'])
      keep()
    }),
  ]
}
