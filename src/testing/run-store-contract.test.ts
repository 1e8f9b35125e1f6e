import type { Entry, FromOutside, Leaving } from '../core/journal.ts'
import type { RunStore } from '../core/run-store.ts'
import { MemoryDisk } from '../stores/memory/disk.ts'
import type { KeptRun } from '../stores/memory/kept-run.ts'
import { MemoryRunStore } from '../stores/memory/run-store.ts'
import { runChange } from '../stores/run-change.ts'
import { holdsAndFails } from './holds-and-fails.ts'
import { runStoreContract } from './run-store-contract.ts'
import { SetClock } from './set-clock.ts'

const clock = new SetClock()

/** A store that breaks a rule, in each of its processes. */
type Broken = (good: MemoryRunStore, disk: MemoryDisk) => Partial<RunStore>

interface Made {
  readonly good: MemoryRunStore
  readonly disk: MemoryDisk
  readonly broken: Broken
}

const made = new WeakMap<RunStore, Made>()

function make(disk: MemoryDisk, broken: Broken): RunStore {
  const good = new MemoryRunStore(disk, clock)
  const store: RunStore = {
    append: (...asked) => good.append(...asked),
    read: (run) => good.read(run),
    snapshot: (run) => good.snapshot(run),
    follow: (...asked) => good.follow(...asked),
    leave: (...asked) => good.leave(...asked),
    list: (filter) => good.list(filter),
    find: (run) => good.find(run),
    reply: (...asked) => good.reply(...asked),
    askToCancel: (...asked) => good.askToCancel(...asked),
    due: (limit) => good.due(limit),
    remove: (run) => good.remove(run),
    prune: (retention) => good.prune(retention),
    ...broken(good, disk),
  }
  made.set(store, { good, disk, broken })
  return store
}

const madeOf = (store: RunStore): Made => {
  const found = made.get(store)
  if (found === undefined) throw new Error('this store is of another test')
  return found
}

const contract = (open: () => RunStore) =>
  runStoreContract(open, {
    another: (store) => {
      const { disk, broken } = madeOf(store)
      return make(disk, broken)
    },
    lapse: (store) => madeOf(store).good.lapse(),
    now: () => clock.now(),
    pass: (ms) => clock.advance(ms),
  })

const runs = (broken: Broken) => () => make(new MemoryDisk(), broken)

const runOf = (disk: MemoryDisk, id: string): KeptRun => {
  const run = disk.runs.get(id)
  if (run === undefined) throw new Error('there is no such run')
  return run
}

/** Writes past whoever holds the run. */
function force(disk: MemoryDisk, id: string, entries: readonly Entry[]): void {
  const run = runOf(disk, id)
  run.appends.push({ text: JSON.stringify(entries), isFromOutside: false })
  run.size += entries.length
  run.take(runChange(entries), clock.now())
}

const tick = (): Promise<void> => Promise.resolve()

/** What it does not like, it passes over. */
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

/** One that writes on when it was refused, where it had written before. */
const stubborn: Broken = (good, disk) => {
  const mine = new Set<string>()
  return {
    append: (id, entries, beside) => {
      try {
        good.append(id, entries, beside)
        mine.add(id)
      } catch (error) {
        if (!mine.has(id) || runChange(entries).isTakenUp) throw error
        force(disk, id, entries)
      }
    },
  }
}

const append = (change: (entries: readonly Entry[], id: string) => readonly Entry[]) =>
  runs((good) => ({
    append: (id, entries, beside) => good.append(id, change(entries, id), beside),
  }))

const leaving = (leave: (good: MemoryRunStore, disk: MemoryDisk) => RunStore['leave']) =>
  runs((good, disk) => {
    const broken = leave(good, disk)
    return broken === undefined ? {} : { leave: broken }
  })

const find = (change: (run: NonNullable<Awaited<ReturnType<RunStore['find']>>>) => object) =>
  runs((good) => ({
    find: async (id) => {
      const run = await good.find(id)
      return run && { ...run, ...change(run) }
    },
  }))

/** Lets turns of a conversation begin that should not. */
const letting = (standsNot: (run: KeptRun, disk: MemoryDisk) => boolean) =>
  runs((good, disk) => ({
    append: (id, entries, beside) => {
      const { started } = runChange(entries)
      for (const run of disk.runs.values()) {
        if (started?.session !== undefined && standsNot(run, disk)) run.status = 'left'
      }
      good.append(id, entries, beside)
    },
  }))

holdsAndFails<() => RunStore>(
  'a store of runs',
  contract,
  runs(() => ({})),
  {
    'nothing is appended to a run that was never begun': runs((good, disk) => ({
      append: (id, entries, beside) => {
        const isThere = disk.runs.has(id) || runChange(entries).started !== undefined
        if (isThere) good.append(id, entries, beside)
      },
    })),
    'a run begins once': runs((good, disk) => ({
      append: (id, entries, beside) => {
        if (disk.runs.has(id) && runChange(entries).started !== undefined) return
        good.append(id, entries, beside)
      },
    })),
    'a fork begins with all that it takes over': runs((good) => ({
      append: (id, entries, beside) => {
        const { started } = runChange(entries)
        const isBehind = entries.some((entry) => entry.type === 'resumed' && entry.after !== 0)
        if (started !== undefined && isBehind) throw new Error('it goes on from the past')
        good.append(id, entries, beside)
      },
    })),
    'whoever did not begin a run appends nothing to it': runs((good, disk) => ({
      append: (id, entries, beside) => {
        try {
          good.append(id, entries, beside)
        } catch {
          force(disk, id, entries)
        }
      },
    })),
    'a run that is under way is taken up by nobody': runs((good, disk) => ({
      append: (id, entries, beside) => {
        const row = disk.leases.get(`run:${id}`)
        if (row !== undefined && runChange(entries).isTakenUp) row.holder = undefined
        good.append(id, entries, beside)
      },
    })),
    'a run that ended takes no more': runs((good, disk) => ({
      append: (id, entries, beside) => {
        if (disk.runs.get(id)?.hasEnded !== true) good.append(id, entries, beside)
      },
    })),
    'a run within a run is the business of its writer': append((entries) =>
      entries.map((entry) => (entry.type === 'ended' ? { ...entry, path: '' } : entry)),
    ),
    'a run that was left is taken up by anybody': leaving((good) => (id, how) => {
      if (how.type === 'over') good.leave(id, how)
    }),
    'whoever left a run appends no more to it': runs(stubborn),
    'nobody goes on from the past': append((entries) =>
      entries.map((entry) => {
        if (entry.type !== 'resumed') return entry
        const { after: _, ...rest } = entry
        return rest
      }),
    ),
    'of those who take up a run at once one goes on': runs((good, disk) => ({
      append: async (id, entries, beside) => {
        const { isTakenUp, started } = runChange(entries)
        if (!isTakenUp || started !== undefined) return good.append(id, entries, beside)
        const before = await good.find(id)
        await tick()
        if (before?.status === 'running') throw new Error('somebody works on it')
        force(disk, id, entries)
      },
    })),
    'a run whose process died is taken up, and the dead one cannot write any more': runs(stubborn),
    'whoever lost a run does not let go of it for others': leaving((good, disk) => (id, how) => {
      const row = disk.leases.get(`run:${id}`)
      if (row === undefined) return
      row.holder = undefined
      runOf(disk, id).leave(how.type === 'over' ? 'left' : 'suspended', null, clock.now())
      good.leave(id, how)
    }),
    'whoever was taken for dead goes on while nobody took up the run': runs((good, disk) => ({
      append: (id, entries, beside) => {
        const isDead = disk.leases.get(`run:${id}`)?.hasLapsed === true
        if (isDead && !runChange(entries).isTakenUp) throw new Error('it is dead')
        good.append(id, entries, beside)
      },
    })),
    'to leave what was never begun harms nothing': leaving((good, disk) => (id, how) => {
      runOf(disk, id)
      good.leave(id, how)
    }),
    'a turn is refused while one is under way': append((entries) =>
      entries.map((entry) => {
        if (entry.type !== 'started') return entry
        const { session: _, ...rest } = entry
        return rest
      }),
    ),
    'a turn is refused while the one before waits': letting(({ status }) => status === 'suspended'),
    'a turn is refused while the one before, whose process died, can go on': letting(
      (run, disk) => run.status === 'open' && !run.isLive(disk.leases),
    ),
    'a turn that failed does not stand in the way': runs((good, disk) => ({
      append: (id, entries, beside) => {
        const session = runChange(entries).started?.session?.id
        const isOpen = [...disk.runs.values()].some(
          (run) => session !== undefined && run.session === session && !run.hasEnded,
        )
        if (isOpen) throw new Error('the conversation has a turn that has not ended')
        good.append(id, entries, beside)
      },
    })),
    'conversations do not hinder each other': append((entries) =>
      entries.map((entry) => {
        if (entry.type !== 'started' || entry.session === undefined) return entry
        return { ...entry, session: { ...entry.session, id: entry.session.id.toLowerCase() } }
      }),
    ),
    'a request is there until it is answered': find(() => ({ requests: [] })),
    'a request is over with its call, its step or the run': append((entries) =>
      entries.filter(({ type }) => type !== 'settled'),
    ),
    'a request that is put on record again stays the same': runs((good, disk) => ({
      append: (id, entries, beside) => {
        good.append(id, entries, beside)
        const asked = new Set(runChange(entries).asked.map(({ entry }) => entry.request))
        for (const one of runOf(disk, id).requests) if (asked.has(one.id)) one.isAnswered = false
      },
    })),
    'the first answer holds': runs((good, disk) => ({
      reply: async (id, request, ...more) => {
        const asked = runOf(disk, id).requests.find((one) => one.id === request)
        if (asked?.isAnswered === true) return good.reply(id, request, ...more)
        await tick()
        if (asked !== undefined) asked.isAnswered = false
        return good.reply(id, request, ...more)
      },
    })),
    'a reply that cannot be one is refused': runs((good) => ({
      reply: (...asked) => withCode('INVALID_INPUT')(() => good.reply(...asked)),
    })),
    'only what waits can be answered': runs((good) => ({
      reply: (...asked) => withCode('UNKNOWN_REQUEST')(() => good.reply(...asked)),
    })),
    'what has expired is not answered any more': append((entries) =>
      entries.map((entry) => {
        if (entry.type !== 'requested') return entry
        const { until: _, ...rest } = entry
        return rest
      }),
    ),
    'what has ended is not answered any more': runs((good, disk) => ({
      reply: async (id, ...more) => {
        if (disk.runs.get(id)?.hasEnded !== true) await good.reply(id, ...more)
      },
    })),
    'whoever works on a run hears what others put on record': runs((good) => {
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
    'what came before somebody follows is heard, and what was read is not': runs((good) => ({
      follow: (id, hear) => {
        let hears = false
        const stop = good.follow(id, (entry: FromOutside) => {
          if (hears) hear(entry)
        })
        hears = true
        return stop
      },
    })),
    'whoever stops following hears no more': runs((good) => ({
      follow: (id, hear) => {
        good.follow(id, hear)
        return () => {}
      },
    })),
    'a run is asked to end, and says so until it has': find(() => ({ isCancelAsked: true })),
    'what has ended is not asked to end': runs((good, disk) => ({
      askToCancel: async (id, by) => disk.runs.has(id) && good.askToCancel(id, by),
    })),
    'a run says what it was begun with': find(() => ({ made: null })),
    'a run says how it stands': find(({ status }) => ({
      status: status === 'waiting' ? 'interrupted' : status,
    })),
    'runs are listed newest first, as many as asked': runs((good) => ({
      list: async (filter) => (await good.list(filter)).toReversed(),
    })),
    'runs are found by how they stand, agent and conversation': runs((good) => ({
      list: ({ session, ...rest } = {}) =>
        good.list({ ...rest, ...(session !== undefined && !rest.status && { session }) }),
    })),
    'runs and conversations of any name are told apart': runs((good) => ({
      append: (id, entries, beside) => good.append(id.trim(), entries, beside),
      find: (id) => good.find(id.trim()),
    })),
    'the newest snapshot comes back': runs((good) => ({
      append: (id, entries, beside) =>
        good.append(id, entries, good.snapshot(id) === undefined ? beside : {}),
    })),
    'an append that is refused leaves no snapshot': runs((good, disk) => ({
      append: (id, entries, beside) => {
        try {
          good.append(id, entries, beside)
        } catch (error) {
          if (beside?.snapshot) runOf(disk, id).snapshot = JSON.stringify(beside.snapshot)
          throw error
        }
      },
    })),
    'a run that waits is due once it is answered': runs((good) => ({
      due: async () => good.list({ status: ['waiting', 'interrupted'] }),
    })),
    'an answer that comes while a run lets go is not lost': leaving((good, disk) => (id, how) => {
      good.leave(id, how)
      const { wakeAt = null } = how.type === 'suspended' ? how : {}
      runOf(disk, id).wakeAt = wakeAt
    }),
    'a run that waits is due when its time comes': leaving((good) => (id, { type }) => {
      good.leave(id, { type } satisfies Leaving)
    }),
    'a run that waits is due when it is to end': runs((good, disk) => ({
      askToCancel: async (id, by) => {
        const isOpen = await good.askToCancel(id, by)
        runOf(disk, id).wakeAt = null
        return isOpen
      },
    })),
    'a run whose process died is due': runs((good) => ({
      due: async (limit) => (await good.due(limit)).filter(({ status }) => status === 'waiting'),
    })),
    'as many runs are due as asked': runs((good) => ({ due: () => good.due() })),
    'of a run that is removed nothing stays': runs((good, disk) => ({
      remove: async (id) => {
        const kept = disk.runs.get(id)
        await good.remove(id)
        if (kept?.requests.length === 1) {
          kept.status = 'left'
          disk.runs.set(id, kept)
        }
      },
    })),
    'a run that is under way is not removed': runs((_, disk) => ({
      remove: async (id) => disk.dropRuns([id]),
    })),
    'a turn that was lost takes nothing from the next one': runs((good, disk) => ({
      leave(run, how) {
        good.leave(run, how)
        for (const row of disk.leases.values()) row.holder = undefined
      },
    })),
    'nor does anybody append to a turn that was removed': runs((good, disk) => ({
      append: (id, entries, beside) => {
        // As long as nobody took the conversation, it looks at nothing else.
        if (disk.runs.has(id) || runChange(entries).isTakenUp) good.append(id, entries, beside)
      },
    })),
    'whoever lost a run that is gone does not write one of its id': runs(stubborn),
    'of runs that ended the newest stay, as many as asked': runs((good) => ({
      prune: (retention) => good.prune({ ...retention, keep: 0 }),
    })),
    'what can be resumed stays': runs((good, disk) => ({
      prune: (retention) => {
        for (const run of disk.runs.values()) if (run.status !== 'open') run.status = 'finished'
        return good.prune(retention)
      },
    })),
    'what goes on may be kept in fewer words': runs((good, disk) => ({
      prune: (retention) => {
        if (retention.condense === true && retention.dryRun !== true)
          for (const run of disk.runs.values()) run.shorten(false)
        return good.prune(retention)
      },
    })),
    'what ended long ago goes': runs((good) => ({
      prune: ({ endedBeforeMs = 0, ...rest }) =>
        good.prune({ ...rest, keep: Math.min(endedBeforeMs, 0) }),
    })),
  },
)
