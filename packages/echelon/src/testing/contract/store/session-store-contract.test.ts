import type { Entry } from '../../../core/journal/journal.ts'
import type { RunStore } from '../../../core/store/run-store.ts'
import type { SessionStore } from '../../../core/store/session-store.ts'
import type { ArtifactIndex } from '../../../core/store/store.ts'
import { Rows } from '../../../../../store/src/sqlite/rows-in-tests.ts'
import { openStore } from '../../../../../store/src/sqlite/in-tests.ts'
import type { SqliteStore } from '../../../../../store/src/sqlite-store.ts'
import { artifactIndexContract, type ArtifactIndexTrial } from './artifact-index-contract.ts'
import { holdsAndFails } from '../../holds-and-fails.ts'
import { sessionStoreContract, type SessionStoreTrial } from './session-store-contract.ts'
import { SetClock } from '../../set-clock.ts'

interface Good extends Pick<SqliteStore, 'runs' | 'sessions' | 'artifacts'> {
  readonly rows: Rows
}

interface Broken {
  readonly runs?: Partial<Pick<RunStore, 'append' | 'remove' | 'prune'>>
  readonly sessions?: Partial<SessionStore>
  readonly artifacts?: Partial<ArtifactIndex>
}

const stores =
  (broken: (good: Good) => Broken = () => ({})) =>
  async (): Promise<SessionStoreTrial & ArtifactIndexTrial> => {
    const clock = new SetClock()
    const store = await openStore(':memory:', { clock })
    const { runs, sessions, artifacts } = store
    const rows = await Rows.of(store, clock)
    const { runs: brokenRuns, ...others } = broken({ runs, sessions, artifacts, rows })
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

/** Returns the object of the first read again. */
function remembering<Read>(read: (id: string) => Promise<Read>): (id: string) => Promise<Read> {
  const known = new Map<string, Promise<Read>>()
  return (id) => {
    const first = known.get(id) ?? read(id)
    known.set(id, first)
    return first
  }
}

/** Deletes only the conversation's row. */
function forget(rows: Rows, id: string): void {
  rows.run('delete from messages where session = ?', id)
  rows.run('delete from sessions where id = ?', id)
}

const EMPTY = { states: {}, schemaSignature: null, schemaVersion: 1, stateVersions: null } as const

function withoutKept(entry: Entry): Entry {
  if (entry.type !== 'started' || entry.session === undefined) return entry
  const { id, length, digest } = entry.session
  return { ...entry, session: { id, length, digest } }
}

holdsAndFails<() => Promise<SessionStoreTrial>>(
  'a store of conversations',
  sessionStoreContract,
  stores(),
  {
    'an unknown conversation does not exist': withSessions(({ sessions }) => ({
      load: async (id) => {
        const of = { id, agent: 'chat', messages: [], states: EMPTY, continues: null }
        const nobodys = { ...of, isDisposable: false, beganAt: 0, changedAt: 0 }
        return (await sessions.load(id)) ?? nobodys
      },
    })),
    'a turn is stored by the append that ends it': withRuns(({ runs }) => ({
      append: (id, entries, { session, ...beside } = {}) =>
        runs.append(id, entries, {
          ...beside,
          ...(session !== undefined && { session: { ...session, states: EMPTY } }),
        }),
    })),
    'the next turn follows the previous one': withSessions(({ sessions }) => ({
      load: async (id) => {
        const session = await sessions.load(id)
        return session && { ...session, beganAt: session.changedAt }
      },
    })),
    'a turn replaces the undone ones': withRuns(({ runs }) => ({
      append: (id, entries, { session, ...beside } = {}) =>
        runs.append(id, entries, {
          ...beside,
          ...(session !== undefined && { session: { ...session, keep: session.from } }),
        }),
    })),
    'a change based on an outdated conversation is refused with its append': withRuns(
      ({ runs, rows }) => ({
        append: (id, entries, { session, ...beside } = {}) => {
          const from = rows.all(
            'select 1 from messages where session = ?',
            session?.id ?? '',
          ).length
          runs.append(id, entries, {
            ...beside,
            ...(session !== undefined && { session: { ...session, from, keep: from } }),
          })
        },
      }),
    ),
    'a turn based on an outdated conversation is refused at its start': withRuns(({ runs }) => ({
      append: (id, entries, beside) => runs.append(id, entries.map(withoutKept), beside),
    })),
    'a refused append changes no conversation': withRuns(({ runs, rows }) => ({
      append: (id, entries, { session, ...beside } = {}) => {
        if (session !== undefined) rows.write(session)
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
    'only the current turn writes to a conversation': withSessions(({ rows }) => ({
      save: async (change) => rows.write(change),
    })),
    'conversations are listed newest first': withSessions(({ sessions }) => ({
      list: async () => (await sessions.list()).toReversed(),
    })),
    'conversations with any name are distinct': withSessions(({ sessions }) => ({
      save: (change) => {
        const id = change.id.trim()
        return sessions.save({ ...change, id })
      },
    })),
    'changes to written or returned data do not affect the store': withSessions(({ sessions }) => ({
      load: remembering((id: string) => sessions.load(id)),
    })),
    'a disposable conversation is removed at its end': withSessions(({ sessions, rows }) => ({
      end: async (id) => {
        const disposable = 'select 1 from sessions where id = ? and disposable = 1'
        if (rows.all(disposable, id).length > 0) forget(rows, id)
        else await sessions.end(id)
      },
    })),
    'pruning removes old conversations only on request': withRuns(({ runs }) => ({
      prune: (retention) => runs.prune({ ...retention, conversations: true }),
    })),
    'any other conversation stays at its end': withSessions(({ sessions }) => ({
      end: (id) => sessions.remove(id),
    })),
    'removing a conversation removes all of it': withSessions(({ rows }) => ({
      remove: async (id) => {
        rows.run('delete from runs where session = ?', id)
        forget(rows, id)
      },
    })),
    'nothing is removed while a forked run is in progress': withSessions(({ sessions, rows }) => ({
      remove: async (id) => {
        rows.run(`update leases set holder = null, run = null where run <> 'r'`)
        await sessions.remove(id)
      },
    })),
    'nothing is removed during a turn': withSessions(({ rows }) => ({
      remove: async (id) => forget(rows, id),
    })),
  },
)

holdsAndFails<() => Promise<ArtifactIndexTrial>>(
  'an index of files',
  artifactIndexContract,
  stores(),
  {
    'a run without files has an empty index': withArtifacts(({ artifacts }) => ({
      of: async (run) => {
        const files = await artifacts.of(run)
        if (files.length === 0) throw new Error('there are no files')
        return files
      },
    })),
    'files are indexed as calls settle and as steps close': withRuns(({ runs }) => ({
      append: (id, entries, beside) =>
        runs.append(
          id,
          entries.filter(({ type }) => type !== 'closed'),
          beside,
        ),
    })),
    'a file of a nested run belongs to the whole run': withRuns(({ runs }) => ({
      append: (id, entries, beside) =>
        runs.append(
          id,
          entries.filter((entry) => !('path' in entry) || entry.path === ''),
          beside,
        ),
    })),
    'finds the newest of several files with one name': withArtifacts(({ artifacts }) => ({
      find: async () => (await artifacts.of('r'))[0],
    })),
    'removing a run removes its files from the index': withRuns(({ rows }) => ({
      remove: async (id) => rows.run('delete from runs where id = ?', id),
    })),
    'changes by one reader do not affect the next': withArtifacts(({ artifacts }) => ({
      of: remembering((run: string) => artifacts.of(run)),
    })),
  },
)
