import { casesOf, type ContractCase } from '../contract.ts'
import {
  closed,
  ended,
  letGo,
  type Opened,
  OVER,
  refuses,
  resumed,
  started,
  SUSPENDED,
  takeUp,
} from './premises.ts'

/** Each conversation has one turn at a time. */
export function turns(open: () => Promise<Opened>): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a turn is refused while another is in progress', async ({ store, another, now }) => {
      const other = await another(store)
      await store.append('a', [started('a', now(), { turnOf: 's' })])
      const busy = { code: 'RUN_BUSY', message: /\ba\b/ }
      await refuses(other, 'b', [started('b', now(), { turnOf: 's' })], busy)
      await refuses(store, 'b', [started('b', now(), { turnOf: 's' })], busy)
      await store.append('a', [ended(now())])
      await other.append('b', [started('b', now(), { turnOf: 's' })])
    }),
    caseOf('a turn is refused while the previous one waits', async ({ store, another, now }) => {
      const other = await another(store)
      await store.append('a', [started('a', now(), { turnOf: 's' })])
      await letGo(store, 'a', SUSPENDED)
      const busy = { code: 'RUN_BUSY', message: /\ba\b/ }
      await refuses(other, 'b', [started('b', now(), { turnOf: 's' })], busy)
      await takeUp(other, 'a', now())
      await other.append('a', [ended(now(), 'canceled')])
      await store.append('b', [started('b', now(), { turnOf: 's' })])
    }),
    caseOf(
      'a turn is refused while the previous one can resume after its process died',
      async ({ store, another, lapse, now }) => {
        const other = await another(store)
        await store.append('a', [started('a', now(), { turnOf: 's' })])
        await lapse(store)
        const busy = { code: 'RUN_BUSY', message: /\ba\b/ }
        await refuses(other, 'b', [started('b', now(), { turnOf: 's' })], busy)
        await takeUp(other, 'a', now())
        await other.append('a', [ended(now())])
        await other.append('b', [started('b', now(), { turnOf: 's' })])
      },
    ),
    caseOf('a failed turn does not block the next one', async ({ store, another, now }) => {
      const other = await another(store)
      await store.append('a', [started('a', now(), { turnOf: 's' })])
      await letGo(store, 'a', OVER)
      await other.append('b', [started('b', now(), { turnOf: 's' })])
      await refuses(store, 'a', [resumed(now(), 1)], { code: 'RUN_BUSY' })
      await other.append('b', [closed(0, now())])
    }),
    caseOf('conversations do not block each other', async ({ store, another, now }) => {
      const other = await another(store)
      await store.append('a', [started('a', now(), { turnOf: 's' })])
      await store.append('b', [started('b', now(), { turnOf: 't' })])
      await other.append('c', [started('c', now(), { turnOf: 'S' })])
      await other.append('d', [started('d', now())])
      await store.append('e', [started('e', now())])
      await letGo(store, 'a', SUSPENDED)
      await store.append('b', [closed(0, now())])
      await other.append('d', [closed(0, now())])
    }),
  ]
}
