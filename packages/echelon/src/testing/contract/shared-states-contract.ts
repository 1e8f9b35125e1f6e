import assert from 'node:assert/strict'
import type { SharedStates } from '../../core/agent/ports.ts'
import { casesOf, type ContractCase, JSON_VALUES, ODD_NAMES } from '../contract.ts'

/**
 * The requirements of every `SharedStates`: `for (const { name, holds } of
 * sharedStatesContract(open)) test(name, holds)`.
 * @param open new, empty states for each case
 */
export function sharedStatesContract(
  open: () => SharedStates | Promise<SharedStates>,
): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('an unset state does not exist', (states) => {
      for (const key of ODD_NAMES) assert.equal(states.get(key), undefined, key)
    }),
    caseOf('a state of any kind is visible at once', (states) => {
      for (const value of JSON_VALUES) {
        states.set('app/one', value)
        assert.deepEqual(states.get('app/one'), value)
      }
    }),
    caseOf('states with any key are distinct', (states) => {
      for (const key of ODD_NAMES) states.set(key, key)
      for (const key of ODD_NAMES) assert.equal(states.get(key), key)
    }),
    caseOf('an unchanged state returns the same value', (states) => {
      states.set('app/one', { count: 1 })
      assert.equal(
        states.get('app/one'),
        states.get('app/one'),
        'get must return the same value, not a copy: its identity shows whether it was set again',
      )
    }),
  ]
}
