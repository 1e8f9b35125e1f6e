import assert from 'node:assert/strict'
import type { RunStore } from '../../../core/store/run-store.ts'
import type { SessionChange, SessionStore } from '../../../core/store/session-store.ts'
import { type Message, userMessage } from '../../../core/message/thread.ts'
import { casesOf, type ContractCase, JSON_VALUES, notCopied, ODD_NAMES } from '../../contract.ts'
import { closed, ended, started } from '../../run-store/premises.ts'

/** A store of conversations, and the runs that are their turns. */
export interface SessionStoreTrial {
  readonly sessions: SessionStore
  readonly runs: RunStore
}

/**
 * The requirements of every `SessionStore`, together with the `RunStore` that writes its turns:
 * `for (const { name, holds } of sessionStoreContract(open)) test(name, holds)`.
 * @param open new, empty stores for each case
 */
export function sessionStoreContract(
  open: () => SessionStoreTrial | Promise<SessionStoreTrial>,
): readonly ContractCase[] {
  return [
    ...turns(open),
    ...refusals(open),
    ...owning(open),
    ...keeping(open),
    ...disposing(open),
    ...busy(open),
  ]
}

type Open = () => SessionStoreTrial | Promise<SessionStoreTrial>

const AT = 1_757_300_000_000

const said = (...texts: readonly string[]): readonly Message[] => texts.map(userMessage)

const change = (id: string, over: Partial<SessionChange> = {}): SessionChange => ({
  id,
  agent: 'chat',
  from: 0,
  keep: 0,
  messages: said('hi', 'hello'),
  states: { states: {}, schemaSignature: null, schemaVersion: 1, stateVersions: null },
  continues: null,
  at: AT,
  ...over,
})

const idsOf = (rows: readonly { readonly id: string }[]): readonly string[] =>
  rows.map(({ id }) => id)

const begin = async (runs: RunStore, run: string, session: string): Promise<void> =>
  await runs.append(run, [started(run, AT, { turnOf: session })])

const finish = async (runs: RunStore, run: string, session: SessionChange): Promise<void> =>
  await runs.append(run, [closed(0, AT), ended(AT)], { session })

const textsOf = async (sessions: SessionStore, id: string): Promise<readonly unknown[]> =>
  ((await sessions.load(id))?.messages ?? []).map(({ content }) => Object(content)[0]?.text)

function turns(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('an unknown conversation does not exist', async ({ sessions, runs }) => {
      assert.equal(await sessions.load('s'), undefined)
      assert.deepEqual(await sessions.list(), [])
      await begin(runs, 'r', 's')
      assert.equal(await sessions.load('s'), undefined)
    }),
    caseOf('a turn is stored by the append that ends it', async ({ sessions, runs }) => {
      const states = { 'app/counter': { count: 1 }, 'app/all': [...JSON_VALUES] }
      const stateVersions = { 'app/counter': 2, 'app/all': 1 }
      const container = { states, schemaSignature: 'x', schemaVersion: 1, stateVersions } as const
      const continues = { id: 'conv_1', at: 2 }
      await begin(runs, 'r', 's')
      await finish(runs, 'r', change('s', { states: container, continues }))
      assert.deepEqual(await sessions.load('s'), {
        id: 's',
        agent: 'chat',
        messages: said('hi', 'hello'),
        states: container,
        continues,
        isDisposable: false,
        beganAt: AT,
        changedAt: AT,
      })
      assert.equal((await runs.find('r'))?.status, 'finished')
    }),
    caseOf('the next turn follows the previous one', async ({ sessions, runs }) => {
      await begin(runs, 'a', 's')
      await finish(runs, 'a', change('s', { continues: 'first' }))
      await begin(runs, 'b', 's')
      const more = { from: 2, keep: 2, messages: said('more'), at: AT + 1 }
      await finish(runs, 'b', change('s', more))
      assert.deepEqual(await textsOf(sessions, 's'), ['hi', 'hello', 'more'])
      const { continues, beganAt, changedAt } = (await sessions.load('s')) ?? {}
      assert.deepEqual([continues, beganAt, changedAt], [null, AT, AT + 1])
    }),
    caseOf('a turn replaces the undone ones', async ({ sessions, runs }) => {
      await sessions.save(change('s', { messages: said('a', 'b', 'c', 'd') }))
      await begin(runs, 'r', 's')
      await finish(runs, 'r', change('s', { from: 4, keep: 1, messages: said('new') }))
      assert.deepEqual(await textsOf(sessions, 's'), ['a', 'new'])
      await begin(runs, 't', 's')
      await finish(runs, 't', change('s', { from: 2, keep: 0, messages: [] }))
      assert.deepEqual(await textsOf(sessions, 's'), [])
      assert.notEqual(await sessions.load('s'), undefined)
    }),
  ]
}

function refusals(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf(
      'a change based on an outdated conversation is refused with its append',
      async ({ sessions, runs }) => {
        await sessions.save(change('s'))
        await begin(runs, 'r', 's')
        for (const stale of [
          { from: 0, keep: 0 },
          { from: 4, keep: 2 },
          { from: 2, keep: 3 },
          { from: 2, keep: -1 },
        ]) {
          const late = change('s', { ...stale, messages: said('late') })
          await assert.rejects(async () => await finish(runs, 'r', late))
          await assert.rejects(sessions.save(change('s', { ...stale, messages: said('late') })))
        }
        assert.deepEqual(await textsOf(sessions, 's'), ['hi', 'hello'])
        assert.equal((await runs.read('r')).length, 1)
        assert.notEqual((await runs.find('r'))?.status, 'finished')
      },
    ),
    caseOf(
      'a turn based on an outdated conversation is refused at its start',
      async ({ sessions, runs }) => {
        await sessions.save(change('s'))
        const turn = (id: string, kept: number) =>
          started('r', AT, { session: { id, length: 0, digest: 0, kept } })
        for (const stale of [turn('s', 0), turn('s', 3), turn('new', 1)]) {
          await assert.rejects(async () => await runs.append('r', [stale]), {
            code: 'JOURNAL_MISMATCH',
          })
          assert.equal(await runs.find('r'), undefined)
          assert.deepEqual(await runs.read('r'), [])
        }
        await sessions.save(change('s', { from: 2, keep: 2 }))
        await runs.append('r', [turn('s', 4)])
        await finish(runs, 'r', change('s', { from: 4, keep: 4 }))
      },
    ),
    caseOf('a refused append changes no conversation', async ({ sessions, runs }) => {
      await begin(runs, 'r', 's')
      runs.leave?.('r', { type: 'over' })
      await runs.find('r')
      await assert.rejects(async () => await finish(runs, 'r', change('s')))
      assert.equal(await sessions.load('s'), undefined)
    }),
  ]
}

function owning(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a conversation has one agent', async ({ sessions, runs }) => {
      await sessions.save(change('s'))
      await begin(runs, 'r', 's')
      const other = change('s', { agent: 'decide', from: 2, keep: 2 })
      await assert.rejects(async () => await finish(runs, 'r', other))
      assert.equal((await sessions.load('s'))?.agent, 'chat')
    }),
    caseOf('only the current turn writes to a conversation', async ({ sessions, runs }) => {
      await begin(runs, 'r', 's')
      await assert.rejects(sessions.save(change('s')), { code: 'SESSION_BUSY' })
      await sessions.save(change('other'))
      await finish(runs, 'r', change('s', { messages: said('the turn') }))
      assert.deepEqual(await textsOf(sessions, 's'), ['the turn'])
    }),
    caseOf('pruning removes old conversations only on request', async (trial) => {
      const { sessions, runs } = trial
      await begin(runs, 'r', 's')
      await finish(runs, 'r', change('s', { at: 1 }))
      await sessions.save(change('goes on', { at: 1 }))
      await begin(runs, 'open', 'goes on')
      const both = { endedBeforeMs: 0, conversations: true }
      await sessions.save(change('brought', { at: 1 }))
      assert.equal((await runs.prune({ conversations: true })).sessions, 0, 'it goes by age')
      assert.equal((await runs.prune({ ...both, dryRun: true })).sessions, 2)
      assert.equal((await runs.prune({ endedBeforeMs: 0 })).sessions, 0)
      assert.deepEqual(await textsOf(sessions, 's'), ['hi', 'hello'])
      assert.equal((await runs.prune(both)).sessions, 2)
      assert.deepEqual(idsOf(await sessions.list()), ['goes on'])
      assert.equal(await sessions.load('s'), undefined)
    }),
  ]
}

function keeping(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('conversations are listed newest first', async ({ sessions }) => {
      await sessions.save(change('a', { at: AT }))
      await sessions.save(change('b', { at: AT + 1, messages: [] }))
      await sessions.save(change('a', { from: 2, keep: 2, messages: said('more'), at: AT + 2 }))
      const of = { agent: 'chat', isDisposable: false }
      assert.deepEqual(await sessions.list(), [
        { id: 'a', ...of, beganAt: AT, changedAt: AT + 2, length: 3 },
        { id: 'b', ...of, beganAt: AT + 1, changedAt: AT + 1, length: 0 },
      ])
    }),
    caseOf('conversations with any name are distinct', async ({ sessions }) => {
      for (const id of ODD_NAMES) await sessions.save(change(id, { messages: said(id) }))
      for (const id of ODD_NAMES) {
        assert.equal((await sessions.load(id))?.id, id)
        assert.deepEqual(await textsOf(sessions, id), [id])
      }
    }),
    caseOf('changes to written or returned data do not affect the store', async ({ sessions }) => {
      const messages = [...said('hi')]
      await sessions.save(change('s', { messages }))
      messages.push(userMessage('later'))
      Reflect.set(Object((await sessions.load('s'))?.messages), 'length', 0)
      assert.deepEqual(await textsOf(sessions, 's'), ['hi'], notCopied('save and load', 'list'))
    }),
  ]
}

function disposing(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a disposable conversation is removed at its end', async ({ sessions, runs }) => {
      await sessions.markDisposable('s')
      await begin(runs, 'r', 's')
      await finish(runs, 'r', change('s'))
      assert.equal((await sessions.load('s'))?.isDisposable, true)
      assert.equal((await sessions.list())[0]?.isDisposable, true)
      await sessions.end('s')
      assert.equal(await sessions.load('s'), undefined)
      assert.deepEqual(await runs.read('r'), [])
      assert.equal(await runs.find('r'), undefined)
      await sessions.save(change('s'))
      assert.equal((await sessions.load('s'))?.isDisposable, false, 'a mark goes with the rest')
    }),
    caseOf('any other conversation stays at its end', async ({ sessions, runs }) => {
      await begin(runs, 'r', 's')
      await finish(runs, 'r', change('s'))
      await sessions.end('s')
      await sessions.end('nobody')
      assert.deepEqual(await textsOf(sessions, 's'), ['hi', 'hello'])
      assert.equal((await runs.read('r')).length, 3)
      await sessions.markDisposable('s')
      assert.equal((await sessions.load('s'))?.isDisposable, true)
      await sessions.end('s')
      assert.equal(await sessions.load('s'), undefined)
    }),
    caseOf('removing a conversation removes all of it', async ({ sessions, runs }) => {
      await begin(runs, 'a', 's')
      await finish(runs, 'a', change('s'))
      await begin(runs, 'b', 's')
      runs.leave?.('b', { type: 'suspended' })
      await sessions.save(change('t'))
      await runs.append('c', [started('c', AT, { turnOf: 't' }), ended(AT)])
      await runs.append('d', [started('d', AT, { forkedFrom: { run: 'a', at: 0 } }), ended(AT)])
      await sessions.remove('s')
      await sessions.remove('nobody')
      assert.deepEqual(idsOf(await sessions.list()), ['t'])
      assert.deepEqual(
        idsOf(await runs.list()),
        ['c'],
        'removing a conversation removes its turns and their forks',
      )
      await begin(runs, 'e', 's')
      await finish(runs, 'e', change('s', { messages: said('anew') }))
      assert.deepEqual(await textsOf(sessions, 's'), ['anew'])
    }),
  ]
}

function busy(open: Open): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('nothing is removed while a forked run is in progress', async (trial) => {
      const { sessions, runs } = trial
      const forkedFrom = { run: 'a', at: 0 }
      await runs.append('a', [started('a', AT, { turnOf: 's' }), ended(AT)])
      await sessions.save(change('s'))
      for (const [run, more] of [
        ['b', { turnOf: 't' }],
        ['c', {}],
      ] as const) {
        await runs.append(run, [started(run, AT, { ...more, forkedFrom })])
        await assert.rejects(sessions.remove('s'), { code: 'SESSION_BUSY' })
        await runs.append(run, [ended(AT)])
      }
      assert.deepEqual(await textsOf(sessions, 's'), ['hi', 'hello'])
    }),
    caseOf('nothing is removed during a turn', async ({ sessions, runs }) => {
      await sessions.markDisposable('s')
      await sessions.save(change('s'))
      await begin(runs, 'r', 's')
      await assert.rejects(sessions.remove('s'), { code: 'SESSION_BUSY' })
      await assert.rejects(sessions.end('s'), { code: 'SESSION_BUSY' })
      await finish(runs, 'r', change('s', { from: 2, keep: 2 }))
      await sessions.end('s')
      assert.equal(await sessions.load('s'), undefined)
    }),
  ]
}
