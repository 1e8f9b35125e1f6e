import { assertWhole, isWhole, type SummedTable } from './row-sum.ts'
import type { Schema } from '../../schema/tables.ts'

type Table = keyof Schema

type Columns<Name extends Table> = readonly (keyof Schema[Name] & string)[]

type Tables = {
  readonly [Name in Table]: SummedTable & { readonly columns: Columns<Name> }
}

/** Every table of a store. Each of their rows holds a checksum. */
export const SUMMED: Tables = {
  runs: {
    columns: [
      'id',
      'agent',
      'version',
      'status',
      'reason',
      'session',
      'forked_from',
      'began_at',
      'changed_at',
      'wake_at',
      'cancel_asked',
      'made_json',
      'input_json',
    ],
    keys: ['id'],
    name: (id) => `the run ${id}`,
    guardsUpdates: true,
  },
  requests: {
    columns: ['run', 'id', 'place', 'at', 'until', 'answered', 'about_json'],
    keys: ['run'],
    name: (run) => `what the run ${run} asks`,
    guardsUpdates: true,
  },
  journal: {
    columns: ['run', 'n', 'fence', 'size', 'entries_json'],
    keys: ['run', 'n'],
    name: (run, n) => `row ${n} of the journal of the run ${run}`,
  },
  snapshots: {
    columns: ['run', 'after', 'body_json'],
    keys: ['run'],
    name: (run) => `the snapshot of the run ${run}`,
  },
  leases: {
    columns: ['name', 'fence', 'holder', 'run', 'expires_at'],
    keys: ['name'],
    name: (name) => `the lease ${name}`,
  },
  sessions: {
    columns: [
      'id',
      'agent',
      'disposable',
      'began_at',
      'changed_at',
      'continues_json',
      'states_json',
    ],
    keys: ['id'],
    name: (id) => `the conversation ${id}`,
    guardsUpdates: true,
  },
  messages: {
    columns: ['session', 'n', 'body_json'],
    keys: ['session', 'n'],
    name: (session, n) => `message ${n} of the conversation ${session}`,
  },
  results: {
    columns: ['key', 'input_digest', 'run', 'at', 'result_json'],
    keys: ['run'],
    name: (run) => `the result by key of the run ${run}`,
    guardsUpdates: true,
  },
  memories: {
    columns: ['name', 'version', 'value_json'],
    keys: ['name'],
    name: (name) => `the memory ${name}`,
  },
  memory_writes: {
    columns: ['key', 'name', 'version'],
    keys: ['name'],
    name: (name) => `what a write to the memory ${name} was answered with`,
  },
  notes: {
    columns: [
      'n',
      'scope_kind',
      'scope_id',
      'created_at',
      'changed_at',
      'changed_n',
      'version',
      'title',
      'body',
    ],
    keys: ['n', 'scope_id'],
    name: (n, scope) => `the note n${n} of ${scope}`,
    guardsUpdates: true,
  },
  note_writes: {
    columns: ['key', 'scope_kind', 'scope_id', 'answer_json'],
    keys: ['scope_id'],
    name: (scope) => `what a write to the notes of ${scope} was answered with`,
  },
  cache: {
    columns: ['key', 'expires_at', 'session', 'value_json'],
    keys: ['key'],
    name: (key) => `the cached answer ${key.slice(0, 12)}`,
  },
  events: {
    columns: ['run', 'n', 'at', 'body_json'],
    keys: ['run', 'n'],
    name: (run, n) => `event ${n} of the run ${run}`,
  },
  artifacts: {
    columns: ['run', 'name', 'at', 'body_json'],
    keys: ['run', 'name'],
    name: (run, name) => `the record of the file ${name} of the run ${run}`,
  },
  audit: {
    columns: ['n', 'line'],
    keys: ['n'],
    name: (n) => `line ${n} of the audit log`,
  },
}

/** SQL: whether a row of the table matches its checksum, 1 or 0. */
export const wholeIn = (table: Table): string => isWhole(table, SUMMED[table])

/** SQL: 1, or STORE_DAMAGED with the name of the row. For the select list of a query. */
export const checkedIn = (table: Table): string => assertWhole(table, SUMMED[table])
