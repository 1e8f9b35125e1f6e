import type { Entry } from '../core/journal.ts'
import type { RunStore } from '../core/run-store.ts'
import type { SessionStore } from '../core/session-store.ts'
import type { ArtifactIndex } from '../core/store.ts'
import { MemoryArtifactIndex } from '../stores/memory/artifact-index.ts'
import { MemoryDisk } from '../stores/memory/disk.ts'
import { MemoryRunStore } from '../stores/memory/run-store.ts'
import { MemorySessionStore } from '../stores/memory/session-store.ts'
import { artifactIndexContract, type ArtifactIndexTrial } from './artifact-index-contract.ts'
import { holdsAndFails } from './holds-and-fails.ts'
import { sessionStoreContract, type SessionStoreTrial } from './session-store-contract.ts'
import { SetClock } from './set-clock.ts'

interface Good {
  readonly disk: MemoryDisk
  readonly runs: MemoryRunStore
  readonly sessions: MemorySessionStore
  readonly artifacts: MemoryArtifactIndex
}

interface Broken {
  readonly runs?: Partial<Pick<RunStore, 'append' | 'remove' | 'prune'>>
  readonly sessions?: Partial<SessionStore>
  readonly artifacts?: Partial<ArtifactIndex>
}

const stores =
  (broken: (good: Good) => Broken = () => ({})) =>
  (): SessionStoreTrial & ArtifactIndexTrial => {
    const disk = new MemoryDisk()
    const runs = new MemoryRunStore(disk, new SetClock())
    const sessions = new MemorySessionStore(disk)
    const artifacts = new MemoryArtifactIndex(disk)
    const { runs: brokenRuns, ...others } = broken({ disk, runs, sessions, artifacts })
    return {
      runs: {
        append: (...asked) => runs.append(...asked),
        read: (run) => runs.read(run),
        leave: (...asked) => runs.leave(...asked),
        list: (filter) => runs.list(filter),
        find: (run) => runs.find(run),
        reply: (...asked) => runs.reply(...asked),
        askToCancel: (...asked) => runs.askToCancel(...asked),
        due: (limit) => runs.due(limit),
        remove: (run) => runs.remove(run),
        prune: (retention) => runs.prune(retention),
        ...brokenRuns,
      },
      sessions: {
        load: (id) => sessions.load(id),
        save: (change) => sessions.save(change),
        list: () => sessions.list(),
        markDisposable: (id) => sessions.markDisposable(id),
        end: (id) => sessions.end(id),
        remove: (id) => sessions.remove(id),
        ...others.sessions,
      },
      artifacts: {
        of: (run) => artifacts.of(run),
        find: (name) => artifacts.find(name),
        ...others.artifacts,
      },
    }
  }

const withSessions = (broken: (good: Good) => Partial<SessionStore>) =>
  stores((good) => ({ sessions: broken(good) }))

const withRuns = (broken: (good: Good) => Broken['runs'] & object) =>
  stores((good) => ({ runs: broken(good) }))

const withArtifacts = (broken: (good: Good) => Partial<ArtifactIndex>) =>
  stores((good) => ({ artifacts: broken(good) }))

const EMPTY = { states: {}, schemaSignature: null, schemaVersion: 1, stateVersions: null } as const

function withoutKept(entry: Entry): Entry {
  if (entry.type !== 'started' || entry.session === undefined) return entry
  const { id, length, digest } = entry.session
  return { ...entry, session: { id, length, digest } }
}

holdsAndFails<() => SessionStoreTrial>('a store of conversations', sessionStoreContract, stores(), {
  'a conversation that was never written is not there': withSessions(({ sessions }) => ({
    load: async (id) => {
      const of = { id, agent: 'chat', messages: [], states: EMPTY, continues: null }
      const nobodys = { ...of, isDisposable: false, beganAt: 0, changedAt: 0 }
      return (await sessions.load(id)) ?? nobodys
    },
  })),
  'a turn is kept with the append that ends it': withRuns(({ runs }) => ({
    append: (id, entries, { session, ...beside } = {}) =>
      runs.append(id, entries, {
        ...beside,
        ...(session !== undefined && { session: { ...session, states: EMPTY } }),
      }),
  })),
  'the next turn follows the one before': withSessions(({ sessions }) => ({
    load: async (id) => {
      const session = await sessions.load(id)
      return session && { ...session, beganAt: session.changedAt }
    },
  })),
  'a turn takes the place of those that were undone': withRuns(({ runs }) => ({
    append: (id, entries, { session, ...beside } = {}) =>
      runs.append(id, entries, {
        ...beside,
        ...(session !== undefined && { session: { ...session, keep: session.from } }),
      }),
  })),
  'a change of a conversation that has gone on is refused with its append': withRuns(
    ({ runs, disk }) => ({
      append: (id, entries, { session, ...beside } = {}) => {
        const from = disk.sessions.get(session?.id ?? '')?.messages.length ?? 0
        runs.append(id, entries, {
          ...beside,
          ...(session !== undefined && { session: { ...session, from, keep: from } }),
        })
      },
    }),
  ),
  'a turn that does not know all that is kept is refused as it begins': withRuns(({ runs }) => ({
    append: (id, entries, beside) => runs.append(id, entries.map(withoutKept), beside),
  })),
  'an append that is refused changes no conversation': withRuns(({ runs, disk }) => ({
    append: (id, entries, { session, ...beside } = {}) => {
      if (session !== undefined) disk.write(session)
      runs.append(id, entries, beside)
    },
  })),
  'a conversation has one agent': withRuns(({ runs }) => ({
    append: (id, entries, { session, ...beside } = {}) =>
      runs.append(id, entries, {
        ...beside,
        ...(session !== undefined && { session: { ...session, agent: 'chat' } }),
      }),
  })),
  'nobody writes to a conversation during a turn': withSessions(({ disk }) => ({
    save: async (change) => disk.write(change),
  })),
  'conversations are listed newest first': withSessions(({ sessions }) => ({
    list: async () => (await sessions.list()).toReversed(),
  })),
  'conversations of any name are told apart': withSessions(({ sessions }) => ({
    save: (change) => {
      const id = change.id.trim()
      return sessions.save({ ...change, id })
    },
  })),
  'what a reader or a writer does is not seen by the next': withSessions(({ disk }) => ({
    load: async (id) => disk.sessions.get(id),
  })),
  'a disposable conversation goes when it ends': withSessions(({ sessions, disk }) => ({
    end: async (id) => {
      if (disk.disposable.has(id)) disk.sessions.delete(id)
      else await sessions.end(id)
    },
  })),
  'pruning takes old conversations where that is asked for': withRuns(({ runs }) => ({
    prune: (retention) => runs.prune({ ...retention, conversations: true }),
  })),
  'any other conversation stays when it ends': withSessions(({ sessions }) => ({
    end: (id) => sessions.remove(id),
  })),
  'of a conversation that is removed nothing stays': withSessions(({ disk }) => ({
    remove: async (id) => {
      disk.dropRuns(disk.runsOf(id).map((run) => run.id))
      disk.sessions.delete(id)
    },
  })),
  'nothing goes while a run that was forked from it is under way': withSessions(
    ({ sessions, disk }) => ({
      remove: async (id) => {
        const isTurn = disk.runsOf(id).some((run) => run.isLive(disk.leases))
        if (isTurn) await sessions.remove(id)
        else disk.dropSession(id)
      },
    }),
  ),
  'nothing goes during a turn': withSessions(({ disk }) => ({
    remove: async (id) => disk.dropSession(id),
  })),
})

holdsAndFails<() => ArtifactIndexTrial>('an index of files', artifactIndexContract, stores(), {
  'a run that made no file has none': withArtifacts(({ artifacts }) => ({
    of: async (run) => {
      const files = await artifacts.of(run)
      if (files.length === 0) throw new Error('there are no files')
      return files
    },
  })),
  'files are told of as calls settle and as steps close': withRuns(({ runs }) => ({
    append: (id, entries, beside) =>
      runs.append(
        id,
        entries.filter(({ type }) => type !== 'closed'),
        beside,
      ),
  })),
  'a file of a run within a run is of the whole run': withRuns(({ runs }) => ({
    append: (id, entries, beside) =>
      runs.append(
        id,
        entries.filter((entry) => !('path' in entry) || entry.path === ''),
        beside,
      ),
  })),
  'of files of one name the newest is found': withArtifacts(({ disk }) => ({
    find: async (name) => disk.artifacts.find((one) => one.name === name),
  })),
  'files go out of the index with their run': withRuns(({ disk }) => ({
    remove: async (id) => void disk.runs.delete(id),
  })),
  'what a reader does is not seen by the next': withArtifacts(({ disk }) => ({
    of: async (run) => disk.artifacts.filter((one) => one.run === run),
  })),
})
