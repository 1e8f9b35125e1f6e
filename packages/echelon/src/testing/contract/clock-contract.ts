import assert from 'node:assert/strict'
import type { Clock } from '../../core/agent/ports.ts'
import { casesOf, type ContractCase } from '../contract.ts'

/** A clock, and a way to let its time pass. */
export interface ClockTrial {
  readonly clock: Clock
  /** Lets this many milliseconds pass and fires the timers that fall due. */
  readonly pass: (ms: number) => void | Promise<void>
}

/** System timers round milliseconds differently from the clock. */
const ROUNDING = 1

/**
 * The requirements of every `Clock`: `for (const { name, holds } of clockContract(open)) test(name,
 * holds)`. The longest case takes a second of the clock's time.
 * @param open a clock without timers for each case
 */
export function clockContract(
  open: () => ClockTrial | Promise<ClockTrial>,
): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('returns milliseconds that never decrease', async ({ clock, pass }) => {
      const before = clock.now()
      assert.ok(Number.isFinite(before))
      await pass(100)
      assert.ok(clock.now() >= before + 100 - ROUNDING)
    }),
    caseOf('calls back once, not early and never synchronously', async (trial) => {
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
    caseOf('calls back in the order of due times', async ({ clock, pass }) => {
      const calls: string[] = []
      clock.after(300, () => void calls.push('late'))
      clock.after(100, () => void calls.push('early'))
      clock.after(200, () => void calls.push('between'))
      await pass(1000)
      assert.deepEqual(calls, ['early', 'between', 'late'])
    }),
    caseOf('calls back for a time limit on time, unless it is cleared', async (trial) => {
      const { clock, pass } = trial
      const calls: string[] = []
      clock.after(100, () => void calls.push('kept'), 'limit')
      const early = clock.after(100, () => void calls.push('forgotten at once'), 'limit')
      const late = clock.after(100, () => void calls.push('forgotten later'), 'limit')
      early()
      // The clock may set a limit's timer only now.
      await new Promise((resolve) => setImmediate(resolve))
      late()
      await pass(50)
      assert.deepEqual(calls, [])
      await pass(950)
      assert.deepEqual(calls, ['kept'])
    }),
    caseOf('a cleared timer does not call back, and may be cleared again', async (trial) => {
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
