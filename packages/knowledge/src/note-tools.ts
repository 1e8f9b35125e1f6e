import { guardedSchema } from 'echelon/internal/schema'
import { isRecord, utf8Bytes } from 'echelon/internal/value'
import type { Json } from 'echelon/runtime'
import { defineTool, ToolError } from 'echelon/internal/tool'
import type { Tool, ToolContext } from 'echelon/chat'
import type {
  DynamicMemoryStore,
  MemoryNote,
  NoteChange,
  NoteScope,
} from 'echelon/internal/knowledge'
import type { CachedVectors } from './embedders/cached-vectors.ts'
import { type ScopeKind, scopesFor } from './note-scopes.ts'
import { searchNotes } from './search-notes.ts'

/** Where notes are kept, and the limits on them. */
export interface NoteKeeping {
  readonly store: DynamicMemoryStore
  readonly scopes: readonly ScopeKind[]
  /** Per scope. */
  readonly maxNotes: number
  /** Per note text, in UTF-8 bytes. */
  readonly maxNoteBytes: number
  /** Finds notes by meaning. */
  readonly embedder: CachedVectors
}

const MAX_TITLE_CHARACTERS = 120
const MAX_FOUND = 20
const DEFAULT_FOUND = 10
/** Length of a text in a list; `memory_get` returns all of it. */
const EXCERPT_CHARACTERS = 500

/** The tools an agent uses to read and write its notes. */
export const noteTools = (keeping: NoteKeeping): readonly Tool[] => [
  createTool(keeping),
  getTool(keeping),
  updateTool(keeping),
  deleteTool(keeping),
  searchTool(keeping),
]

const ID = { type: 'string', description: 'the id of the note, such as n12' } as const
const TITLE = {
  type: 'string',
  maxLength: MAX_TITLE_CHARACTERS,
  description: 'a few words to find it by',
} as const
const TEXT = { type: 'string', description: 'what to remember' } as const

function createTool(keeping: NoteKeeping): Tool {
  const { scopes, store, maxNotes } = keeping
  return defineTool({
    name: 'memory_create',
    description: `Saves a note beyond this answer: what was learned about the user, what was agreed, what is still to do. Never secrets. Scopes: ${scopes.map((kind) => SCOPES[kind]).join('; ')}.`,
    does: 'idempotent',
    parallel: false,
    input: guardedSchema(
      {
        type: 'object',
        properties: {
          title: TITLE,
          text: TEXT,
          scope: { type: 'string', enum: [...scopes], description: `default ${scopes[0]}` },
        },
        required: ['title', 'text'],
        additionalProperties: false,
      },
      (value): value is { title: string; text: string; scope?: ScopeKind } =>
        isRecord(value) &&
        isTitle(value['title']) &&
        typeof value['text'] === 'string' &&
        (value['scope'] === undefined || scopes.some((kind) => kind === value['scope'])),
      `expected an object with a title of at most ${MAX_TITLE_CHARACTERS} characters, a text, and perhaps a scope: ${scopes.join(', ')}`,
    ),
    async run({ title, text, scope: kind }, context) {
      checkText(text, keeping)
      const scope = scopeToWrite(keeping, context, kind)
      const { key } = context
      const note = await store.write({ type: 'create', scope, title, text }, `${key}#create`)
      // Counted after the write, so that concurrent writers cannot exceed the limit together.
      const all = await store.find([scope], undefined, maxNotes + 1)
      if (note === null || note === 'conflict') throw new ToolError('TOOL_ERROR', ERASED)
      if (all.length <= maxNotes && all.some(({ id }) => id === note.id)) return noteJson(note)
      await store.write({ type: 'delete', scope, id: note.id }, `${key}#undo`)
      throw new ToolError(
        'TOOL_ERROR',
        `there are already ${maxNotes} notes for the ${scope.kind}, the maximum; delete or update one`,
      )
    },
  })
}

const SCOPES: Readonly<Record<ScopeKind, string>> = {
  user: 'user, in all conversations with this user',
  session: 'session, in this conversation only',
  agent: 'agent, in conversations with all users, who can all read it',
}

const ERASED = 'the note was erased'

const getTool = ({ store, scopes, maxNotes }: NoteKeeping): Tool =>
  defineTool({
    name: 'memory_get',
    description: 'Reads one note in full.',
    input: guardedSchema(
      {
        type: 'object',
        properties: { id: ID },
        required: ['id'],
        additionalProperties: false,
      },
      hasId,
      'expected an object with the id of a note',
    ),
    async run({ id }, context) {
      const seen = scopesOf(scopes, context)
      const notes = await store.find(seen, undefined, maxNotes * seen.length)
      const note = notes.find((one) => one.id === id)
      if (note === undefined) throw notFound(id)
      return noteJson(note)
    },
  })

interface ToUpdate {
  readonly id: string
  readonly title?: string
  readonly text?: string
  readonly version?: number
}

const updateTool = (keeping: NoteKeeping): Tool =>
  defineTool({
    name: 'memory_update',
    description: 'Changes the title or the text of a note.',
    does: 'idempotent',
    parallel: false,
    input: guardedSchema(
      {
        type: 'object',
        properties: {
          id: ID,
          title: TITLE,
          text: TEXT,
          version: {
            type: 'integer',
            description: 'the version that was read; any other is refused',
          },
        },
        required: ['id'],
        additionalProperties: false,
      },
      isUpdate,
      'expected an object with the id of a note and a title or a text, and perhaps the version that was read',
    ),
    async run({ id, title, text, version }, context) {
      if (text !== undefined) checkText(text, keeping)
      const change = {
        type: 'update',
        id,
        ...(title !== undefined && { title }),
        ...(text !== undefined && { text }),
        ...(version !== undefined && { ifVersion: version }),
      } as const
      return noteJson(await changeNote(keeping, context, id, (scope) => ({ ...change, scope })))
    },
  })

const deleteTool = (keeping: NoteKeeping): Tool =>
  defineTool({
    name: 'memory_delete',
    description: 'Deletes a note that is outdated, or that the user wants deleted.',
    does: 'idempotent',
    parallel: false,
    input: guardedSchema(
      {
        type: 'object',
        properties: { id: ID },
        required: ['id'],
        additionalProperties: false,
      },
      hasId,
      'expected an object with the id of a note',
    ),
    async run({ id }, context) {
      await changeNote(keeping, context, id, (scope) => ({ type: 'delete', scope, id }))
      return { deleted: id }
    },
  })

const searchTool = (keeping: NoteKeeping): Tool =>
  defineTool({
    name: 'memory_search',
    description:
      'Finds notes: those that contain all words of a query first, last changed first, then those about something near it, nearest first.',
    input: guardedSchema(
      {
        type: 'object',
        properties: {
          query: { type: 'string', description: 'a few words; empty for the latest notes' },
          limit: { type: 'integer', minimum: 1, maximum: MAX_FOUND },
        },
        required: ['query'],
        additionalProperties: false,
      },
      (value): value is { query: string; limit?: number } =>
        isRecord(value) && typeof value['query'] === 'string' && isLimit(value['limit']),
      `expected an object with a query, and perhaps a limit from 1 to ${MAX_FOUND}`,
    ),
    async run({ query, limit = DEFAULT_FOUND }, context) {
      const notes = await searchNotes(keeping, scopesOf(keeping.scopes, context), { query, limit })
      return { notes: notes.map((note) => ({ ...noteJson(note), text: excerptOf(note.text) })) }
    },
  })

/**
 * Tries one scope after the other, each write under its own key. A repeated call therefore gets its own
 * earlier answer, even if the note has since changed or been deleted.
 */
async function changeNote(
  { store, scopes }: NoteKeeping,
  context: ToolContext,
  id: string,
  change: (scope: NoteScope) => NoteChange,
): Promise<MemoryNote> {
  for (const scope of scopesOf(scopes, context)) {
    const note = await store.write(change(scope), `${context.key}#${scope.kind}`)
    if (note === 'conflict') {
      throw new ToolError('INVALID_ARGS', `${id} has changed in the meantime; read it again`)
    }
    if (note !== null) return note
  }
  throw notFound(id)
}

const notFound = (id: string): ToolError =>
  new ToolError('INVALID_ARGS', `there is no note ${JSON.stringify(id.slice(0, 40))}`)

function scopesOf(kinds: readonly ScopeKind[], { worksFor }: ToolContext): readonly NoteScope[] {
  const scopes = worksFor === undefined ? [] : scopesFor(kinds, worksFor)
  if (scopes.length > 0) return scopes
  throw new ToolError(
    'TOOL_ERROR',
    'notes have no owner here: the run has neither a caller nor a conversation',
  )
}

function scopeToWrite(
  { scopes }: NoteKeeping,
  context: ToolContext,
  kind: ScopeKind | undefined,
): NoteScope {
  const available = scopesOf(scopes, context)
  const scope = kind === undefined ? available[0] : available.find((one) => one.kind === kind)
  if (scope !== undefined) return scope
  const known = available.map((one) => one.kind).join(', ')
  throw new ToolError('INVALID_ARGS', `this run has no ${kind}; keep the note for: ${known}`)
}

function checkText(text: string, { maxNoteBytes }: NoteKeeping): void {
  const bytes = utf8Bytes(text)
  if (bytes <= maxNoteBytes) return
  throw new ToolError(
    'INVALID_ARGS',
    `the text has ${bytes} bytes, and a note may have ${maxNoteBytes}; shorten it`,
  )
}

const noteJson = ({
  id,
  scope,
  title,
  text,
  version,
}: MemoryNote): Readonly<Record<string, Json>> => ({
  id,
  scope: scope.kind,
  title,
  text,
  version,
})

const excerptOf = (text: string): string =>
  text.length <= EXCERPT_CHARACTERS ? text : `${text.slice(0, EXCERPT_CHARACTERS)}…`

const isTitle = (title: unknown): boolean =>
  typeof title === 'string' && title.trim() !== '' && title.length <= MAX_TITLE_CHARACTERS

const hasId = (value: unknown): value is { readonly id: string } =>
  isRecord(value) && typeof value['id'] === 'string'

const isUpdate = (value: unknown): value is ToUpdate =>
  isRecord(value) &&
  typeof value['id'] === 'string' &&
  (value['title'] === undefined || isTitle(value['title'])) &&
  (value['text'] === undefined || typeof value['text'] === 'string') &&
  (value['version'] === undefined || Number.isInteger(value['version'])) &&
  (value['title'] !== undefined || value['text'] !== undefined)

const isLimit = (limit: unknown): boolean =>
  limit === undefined ||
  (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= MAX_FOUND)
