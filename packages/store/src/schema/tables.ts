import type { ColumnType, Generated } from 'kysely'

/**
 * Times are milliseconds since the epoch; `…_json` columns hold JSON text; 0 and 1 are false and
 * true.
 */
export interface Schema {
  runs: RunsTable
  requests: RequestsTable
  journal: JournalTable
  snapshots: SnapshotsTable
  leases: LeasesTable
  sessions: SessionsTable
  messages: MessagesTable
  results: ResultsTable
  memories: MemoriesTable
  memory_writes: MemoryWritesTable
  notes: NotesTable
  note_writes: NoteWritesTable
  cache: CacheTable
  events: EventsTable
  artifacts: ArtifactsTable
  audit: AuditTable
}

/** The current state of a run, updated as entries are appended, so that a list reads no journal. */
interface RunsTable {
  id: string
  agent: string
  version: number
  /**
   * `open`: a process works on it, or died while it did; the leases tell. `suspended`: it waits.
   * `left`: it failed, and continues only when somebody resumes it. `finished`, `canceled`
   * or `failed`: it ended.
   */
  status: string
  reason: string | null
  input_json: string
  made_json: string
  session: string | null
  forked_from: string | null
  began_at: number
  changed_at: number
  wake_at: number | null
  cancel_asked: number
}

/**
 * The requests of a run. A row goes when the run no longer waits for it, however it was answered
 * (`run-change.ts`).
 */
interface RequestsTable {
  run: string
  id: string
  /** The place in the run where it was asked. A prefix of it selects the requests of an ended part. */
  place: string
  about_json: string
  at: number
  until: number | null
  answered: number
}

/** One row per append. */
interface JournalTable {
  run: string
  n: number
  /** The fence of the writer's lease; `null` for entries from outside. */
  fence: number | null
  /** Number of entries in the row. */
  size: number
  entries_json: string
}

/** The newest snapshot of each run. */
interface SnapshotsTable {
  run: string
  after: number
  body_json: string
}

/**
 * The right to write. A turn uses the lease of its conversation; any other run has its own, and so
 * has a key.
 */
interface LeasesTable {
  name: string
  /** Raised on each acquisition. A holder never gets the same number twice. */
  fence: number
  /** `null`: free. */
  holder: string | null
  /** The run that it is held for. */
  run: string | null
  expires_at: number
}

interface SessionsTable {
  id: string
  /** `null`: marked before its first turn, with nothing else stored yet. */
  agent: string | null
  states_json: string
  continues_json: string
  disposable: number
  began_at: number
  changed_at: number
}

interface MessagesTable {
  session: string
  n: number
  body_json: string
}

interface ResultsTable {
  key: string
  /** SHA-256 of the input that decides the result. */
  input_digest: string
  run: string
  /** `null`: in progress. */
  result_json: string | null
  at: number
}

interface MemoriesTable {
  name: string
  value_json: string
  version: number
}

/** The answer to each write, by its key. */
interface MemoryWritesTable {
  key: string
  name: string
  /** `null`: conflict. */
  version: number | null
}

interface NotesTable {
  n: Generated<ColumnType<number, undefined, never>>
  scope_kind: string
  scope_id: string
  title: string
  body: string
  created_at: number
  changed_at: number
  /** Counts all changes, so that the last one is known whatever the clock says. */
  changed_n: number
  version: number
}

/** The answer to each write, by its key. */
interface NoteWritesTable {
  key: string
  scope_kind: string
  scope_id: string
  answer_json: string
}

interface CacheTable {
  key: string
  value_json: string
  expires_at: number
  session: string | null
}

interface EventsTable {
  run: string
  n: number
  at: number
  body_json: string
}

interface ArtifactsTable {
  run: string
  name: string
  at: number
  body_json: string
}

interface AuditTable {
  n: Generated<ColumnType<number, undefined, never>>
  line: string
}
