import type { Entry, FromOutside, Leaving } from '../../../core/journal/journal.ts'
import type { RunStore } from '../../../core/store/run-store.ts'
import type { SqliteRuns } from '../../../../../store/src/sqlite/runs/run-store.ts'
import { Rows } from '../../../../../store/src/sqlite/rows-in-tests.ts'
import { openStore } from '../../../../../store/src/sqlite/in-tests.ts'
import type { SqliteStore } from '../../../../../store/src/sqlite-store.ts'
import { runChange } from '../../../../../store/src/run-change.ts'
import { holdsAndFails } from '../../holds-and-fails.ts'
import { runStoreContract } from './run-store-contract.ts'
import { SetClock } from '../../set-clock.ts'

const clock = new SetClock()

const LEASE_MS = 30_000

/** A store that breaks a rule, in each of its processes. */
type Broken = (good: SqliteRuns, rows: Rows) => Partial<RunStore>

interface Made {
  readonly store: SqliteStore
  readonly broken: Broken
}

const opened = new WeakMap<RunStore, Made>()

async function make(path: string, broken: Broken): Promise<RunStore> {
  const store = await openStore(path, { clock, leaseMs: LEASE_MS })
  const { runs: good } = store
  const runs: RunStore = {
    append: (...asked) => good.append(...asked),
    read: (run) => good.read(run),
    snapshot: (run) => good.snapshot(run),
    follow: (...asked) => good.follow(...asked),
    leave: (...asked) => good.leave(...asked),
    isCutOff: (run) => good.isCutOff(run),
    list: (filter) => good.list(filter),
    find: (run) => good.find(run),
    reply: (...asked) => good.reply(...asked),
    askToCancel: (...asked) => good.askToCancel(...asked),
    due: (limit) => good.due(limit),
    remove: (run) => good.remove(run),
    prune: (retention) => good.prune(retention),
    ...broken(good, await Rows.of(store, clock)),
  }
  opened.set(runs, { store, broken })
  return runs
}

const contract = (open: () => Promise<RunStore>) =>
  runStoreContract(open, {
    another: (runs) => {
      const known = opened.get(runs)
      if (known === undefined) throw new Error('this store is of another test')
      return make(known.store.path, known.broken)
    },
    lapse: () => clock.advance(LEASE_MS + 1),
    now: () => clock.now(),
    pass: (ms) => clock.advance(ms),
  })

const runs = (broken: Broken) => () => make(':memory:', broken)

const tick = (): Promise<void> => Promise.resolve()

/** Ignores writes that it should refuse. */
const leniently =
  (isLeft: (error: Error) => boolean) =>
  async (act: () => Promise<void>): Promise<void> => {
    try {
      await act()
    } catch (error) {
      if (!(error instanceof Error) || !isLeft(error)) throw error
    }
  }

const withCode = (code: string) => leniently((error) => Reflect.get(error, 'code') === code)

/** Continues to write after a refusal, if it had written before. */
const stubborn: Broken = (good, rows) => {
  const mine = new Set<string>()
  return {
    append: (id, entries, beside) => {
      try {
        good.append(id, entries, beside)
        mine.add(id)
      } catch (error) {
        if (!mine.has(id) || runChange(entries).isTakenUp) throw error
        rows.append(id, entries)
      }
    },
  }
}

const append = (change: (entries: readonly Entry[], id: string) => readonly Entry[]) =>
  runs((good) => ({
    append: (id, entries, beside) => good.append(id, change(entries, id), beside),
  }))

const leaving = (leave: (good: SqliteRuns, rows: Rows) => RunStore['leave']) =>
  runs((good, rows) => {
    const broken = leave(good, rows)
    return broken === undefined ? {} : { leave: broken }
  })

const find = (change: (run: NonNullable<Awaited<ReturnType<RunStore['find']>>>) => object) =>
  runs((good) => ({
    find: async (id) => {
      const run = await good.find(id)
      return run && { ...run, ...change(run) }
    },
  }))

/** Lets conflicting turns of a conversation begin, by setting those in the way aside. */
const letting = (inTheWay: string) =>
  runs((good, rows) => ({
    append: (id, entries, beside) => {
      const session = runChange(entries).started?.session
      if (session !== undefined)
        rows.run(`update runs set status = 'left' where ?1 > 0 and ${inTheWay}`, clock.now())
      good.append(id, entries, beside)
    },
  }))

holdsAndFails<() => Promise<RunStore>>(
  'a store of runs',
  contract,
  runs(() => ({})),
  {
    'nothing can be appended to an unknown run': runs((good, rows) => ({
      append: (id, entries, beside) => {
        const isThere = rows.hasRun(id) || runChange(entries).started !== undefined
        if (isThere) good.append(id, entries, beside)
      },
    })),
    'a run begins once': runs((good, rows) => ({
      append: (id, entries, beside) => {
        if (rows.hasRun(id) && runChange(entries).started !== undefined) return
        good.append(id, entries, beside)
      },
    })),
    'a fork begins with all its inherited entries': runs((good) => ({
      append: (id, entries, beside) => {
        const { started } = runChange(entries)
        const isBehind = entries.some((entry) => entry.type === 'resumed' && entry.after !== 0)
        if (started !== undefined && isBehind) throw new Error('it goes on from the past')
        good.append(id, entries, beside)
      },
    })),
    'only a run’s writer can append to it': runs((good, rows) => ({
      append: (id, entries, beside) => {
        try {
          good.append(id, entries, beside)
        } catch {
          rows.append(id, entries)
        }
      },
    })),
    'a run in progress cannot be resumed elsewhere': runs((good, rows) => ({
      append: (id, entries, beside) => {
        if (rows.hasRun(id) && runChange(entries).isTakenUp) rows.release(id)
        good.append(id, entries, beside)
      },
    })),
    'nothing can be appended to an ended run': runs((good, rows) => ({
      append: (id, entries, beside) => {
        if (!rows.hasEnded(id)) good.append(id, entries, beside)
      },
    })),
    'a nested run has the outer run’s writer': append((entries) =>
      entries.map((entry) => (entry.type === 'ended' ? { ...entry, path: '' } : entry)),
    ),
    'any process can resume a left run': leaving((good) => (id, how) => {
      if (how.type === 'over') good.leave(id, how)
    }),
    'a writer cannot append after leaving a run': runs(stubborn),
    'a run cannot be resumed from an outdated state': append((entries) =>
      entries.map((entry) => {
        if (entry.type !== 'resumed') return entry
        const { after: _, ...rest } = entry
        return rest
      }),
    ),
    'of concurrent resumes exactly one succeeds': runs((good, rows) => ({
      append: async (id, entries, beside) => {
        const { isTakenUp, started } = runChange(entries)
        if (!isTakenUp || started !== undefined) return good.append(id, entries, beside)
        const before = await good.find(id)
        await tick()
        if (before?.status === 'running') throw new Error('somebody works on it')
        rows.append(id, entries)
      },
    })),
    'a run whose process died is resumed, and the dead process can no longer write': runs(stubborn),
    'the former writer of a run cannot leave it for others': leaving((good, rows) => (id, how) => {
      rows.release(id)
      const status = how.type === 'over' ? 'left' : 'suspended'
      rows.run('update runs set status = ? where id = ?', status, id)
      good.leave(id, how)
    }),
    'a process considered dead continues if no other resumed the run': runs((good, rows) => ({
      append: (id, entries, beside) => {
        const lapsed = 'select 1 from leases where name = ? and expires_at <= ?'
        const isDead = rows.all(lapsed, `run:${id}`, clock.now()).length > 0
        if (isDead && !runChange(entries).isTakenUp) throw new Error('it is dead')
        good.append(id, entries, beside)
      },
    })),
    'leaving an unknown run has no effect': leaving((good, rows) => (id, how) => {
      if (!rows.hasRun(id)) throw new Error('there is no such run')
      good.leave(id, how)
    }),
    'a turn is refused while another is in progress': append((entries) =>
      entries.map((entry) => {
        if (entry.type !== 'started') return entry
        const { session: _, ...rest } = entry
        return rest
      }),
    ),
    'a turn is refused while the previous one waits': letting(`status = 'suspended'`),
    'a turn is refused while the previous one can resume after its process died': letting(
      `status = 'open' and id not in
        (select run from leases where holder is not null and expires_at > ?1)`,
    ),
    'a failed turn does not block the next one': runs((good, rows) => ({
      append: (id, entries, beside) => {
        const session = runChange(entries).started?.session?.id
        const open = `select 1 from runs where session = ? and status not in ('finished', 'canceled')`
        if (session !== undefined && rows.all(open, session).length > 0)
          throw new Error('the conversation has a turn that has not ended')
        good.append(id, entries, beside)
      },
    })),
    'conversations do not block each other': append((entries) =>
      entries.map((entry) => {
        if (entry.type !== 'started' || entry.session === undefined) return entry
        return { ...entry, session: { ...entry.session, id: entry.session.id.toLowerCase() } }
      }),
    ),
    'a request stays until it is answered': find(() => ({ requests: [] })),
    'a request ends with its call, its step or the run': append((entries) =>
      entries.filter(({ type }) => type !== 'settled'),
    ),
    'recording a request again does not change it': runs((good, rows) => ({
      append: (id, entries, beside) => {
        good.append(id, entries, beside)
        const unanswered = 'update requests set answered = 0 where run = ? and id = ?'
        for (const { entry } of runChange(entries).asked) rows.run(unanswered, id, entry.request)
      },
    })),
    'the first answer wins': runs((good, rows) => ({
      reply: async (id, request, ...more) => {
        const answered = 'select 1 from requests where run = ? and id = ? and answered = 1'
        if (rows.all(answered, id, request).length > 0) return good.reply(id, request, ...more)
        await tick()
        rows.run('update requests set answered = 0 where run = ? and id = ?', id, request)
        return good.reply(id, request, ...more)
      },
    })),
    'an invalid reply is refused': runs((good) => ({
      reply: (...asked) => withCode('INVALID_INPUT')(() => good.reply(...asked)),
    })),
    'only a pending request can be answered': runs((good) => ({
      reply: (...asked) => withCode('UNKNOWN_REQUEST')(() => good.reply(...asked)),
    })),
    'an expired request cannot be answered': append((entries) =>
      entries.map((entry) => {
        if (entry.type !== 'requested') return entry
        const { until: _, ...rest } = entry
        return rest
      }),
    ),
    'an ended request cannot be answered': runs((good, rows) => ({
      reply: async (id, ...more) => {
        if (!rows.hasEnded(id)) await good.reply(id, ...more)
      },
    })),
    'the run’s worker receives what other processes record': runs((good) => {
      const mine = new Set<Parameters<RunStore['reply']>[2]>()
      return {
        reply: (id, request, reply, by) => {
          mine.add(reply)
          return good.reply(id, request, reply, by)
        },
        follow: (id, hear) =>
          good.follow(id, (entry) => {
            if (entry.type === 'replied' && mine.has(entry.reply)) hear(entry)
          }),
      }
    }),
    'a follower receives earlier unread entries, and no entry it has read': runs((good) => ({
      follow: (id, hear) => {
        let hears = false
        const stop = good.follow(id, (entry: FromOutside) => {
          if (hears) hear(entry)
        })
        hears = true
        return stop
      },
    })),
    'a stopped follower receives nothing more': runs((good) => ({
      follow: (id, hear) => {
        good.follow(id, hear)
        return () => {}
      },
    })),
    'a cancel request stays visible until the run ends': find(() => ({ isCancelAsked: true })),
    'an ended run accepts no cancel request': runs((good, rows) => ({
      askToCancel: async (id, by) => rows.hasRun(id) && good.askToCancel(id, by),
    })),
    'a run is cut off if its process died, not if it left it': runs((good) => ({
      isCutOff: async (id) => (await good.find(id))?.status === 'interrupted',
    })),
    'a run that was given up has failed': find(({ status }) => ({
      status: status === 'failed' ? 'finished' : status,
    })),
    'a run’s start options are stored': find(() => ({ made: null })),
    'a run’s status is stored': find(({ status }) => ({
      status: status === 'waiting' ? 'interrupted' : status,
    })),
    'runs are listed newest first, up to the requested number': runs((good) => ({
      list: async (filter) => (await good.list(filter)).toReversed(),
    })),
    'runs are found by status, agent and conversation': runs((good) => ({
      list: ({ session, ...rest } = {}) =>
        good.list({ ...rest, ...(session !== undefined && !rest.status && { session }) }),
    })),
    'runs are found by their user, page after page': runs((good) => ({
      list: ({ owner, ...rest } = {}) =>
        good.list({ ...rest, ...(owner !== undefined && !rest.before && { owner }) }),
    })),
    'runs and conversations with any name are distinct': runs((good) => ({
      append: (id, entries, beside) => good.append(id.trim(), entries, beside),
      find: (id) => good.find(id.trim()),
    })),
    'the newest snapshot is returned': runs((good) => ({
      append: (id, entries, beside) =>
        good.append(id, entries, good.snapshot(id) === undefined ? beside : {}),
    })),
    'a refused append stores no snapshot': runs((good, rows) => ({
      append: (id, entries, beside) => {
        try {
          good.append(id, entries, beside)
        } catch (error) {
          const keep = 'insert or replace into snapshots (run, after, body_json) values (?, ?, ?)'
          const { snapshot } = beside ?? {}
          if (snapshot) rows.run(keep, id, snapshot.after, JSON.stringify(snapshot))
          throw error
        }
      },
    })),
    'a waiting run is due once it is answered': runs((good) => ({
      due: async () => good.list({ status: ['waiting', 'interrupted'] }),
    })),
    'an answer that arrives while a run is left is not lost': leaving((good, rows) => (id, how) => {
      good.leave(id, how)
      const { wakeAt = null } = how.type === 'suspended' ? how : {}
      rows.run('update runs set wake_at = ? where id = ?', wakeAt, id)
    }),
    'a waiting run is due at its time': leaving((good) => (id, { type }) => {
      good.leave(id, { type } satisfies Leaving)
    }),
    'a waiting run is due after a cancel request': runs((good, rows) => ({
      askToCancel: async (id, by) => {
        const isOpen = await good.askToCancel(id, by)
        rows.run('update runs set wake_at = null where id = ?', id)
        return isOpen
      },
    })),
    'a run whose process died is due': runs((good) => ({
      due: async (limit) => (await good.due(limit)).filter(({ status }) => status === 'waiting'),
    })),
    'at most the requested number of due runs is returned': runs((good) => ({
      due: () => good.due(),
    })),
    'removing a run removes all of it': runs((good, rows) => ({
      remove: async (id) => {
        const requests = rows.all('select * from requests where run = ?', id)
        await good.remove(id)
        const keep = `insert into requests (run, id, place, about_json, at) values (?, ?, '', '0', 0)`
        for (const { id: request } of requests) rows.run(keep, id, String(request))
      },
    })),
    'a run in progress is not removed': runs((_, rows) => ({
      remove: async (id) => {
        for (const [table, key] of [
          ['runs', 'id'],
          ['journal', 'run'],
        ]) {
          rows.run(`delete from ${table} where ${key} = ?`, id)
        }
      },
    })),
    'a lost turn does not affect the next one': runs((good, rows) => ({
      leave(run, how) {
        good.leave(run, how)
        rows.run('update leases set holder = null, run = null')
      },
    })),
    'nothing can be appended to a removed turn': runs((good, rows) => ({
      append: (id, entries, beside) => {
        // Checks nothing else until the conversation is taken.
        if (rows.hasRun(id) || runChange(entries).isTakenUp) good.append(id, entries, beside)
      },
    })),
    'the former writer of a removed run cannot write a new one with its id': runs(stubborn),
    'the requested number of newest ended runs stays': runs((good) => ({
      prune: (retention) => good.prune({ ...retention, keep: 0 }),
    })),
    'resumable runs stay': runs((good, rows) => ({
      prune: (retention) => {
        rows.run(`update runs set status = 'finished' where status <> 'open'`)
        return good.prune(retention)
      },
    })),
    'a continuing run may be compacted': runs((good) => ({
      prune: (retention) => {
        return good.prune({ ...retention, condense: false })
      },
    })),
    'long-ended runs are removed': runs((good) => ({
      prune: ({ endedBeforeMs = 0, ...rest }) =>
        good.prune({ ...rest, keep: Math.min(endedBeforeMs, 0) }),
    })),
  },
)
