import assert from 'node:assert/strict'
import type { SharedStates } from '../../core/agent/ports.ts'
import { casesOf, type ContractCase, JSON_VALUES, ODD_NAMES } from '../contract.ts'

/**
 * What every `SharedStates` must do:
 * `for (const { name, holds } of sharedStatesContract(open)) test(name, holds)`.
 * @param open new, empty states for each case
 */
export function sharedStatesContract(
  open: () => SharedStates | Promise<SharedStates>,
): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a state that was never set is not there', (states) => {
      for (const key of ODD_NAMES) assert.equal(states.get(key), undefined, key)
    }),
    caseOf('what was set is there at once, whatever its kind', (states) => {
      for (const value of JSON_VALUES) {
        states.set('app/one', value)
        assert.deepEqual(states.get('app/one'), value)
      }
    }),
    caseOf('states of any key are told apart', (states) => {
      for (const key of ODD_NAMES) states.set(key, key)
      for (const key of ODD_NAMES) assert.equal(states.get(key), key)
    }),
    caseOf('a state that nobody set again is the same value', (states) => {
      states.set('app/one', { count: 1 })
      assert.equal(
        states.get('app/one'),
        states.get('app/one'),
        'get must give the same value again, and no copy: by that one sees whether it was set anew',
      )
    }),
  ]
}
