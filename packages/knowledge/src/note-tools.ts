import { guardedSchema } from 'echelon/internal/schema'
import { isRecord } from 'echelon/internal/value'
import type { Json } from 'echelon/runtime'
import { defineTool, ToolError } from 'echelon/internal/tool'
import type { Tool, ToolContext } from 'echelon/chat'
import { utf8Bytes } from 'echelon/internal/value'
import type {
  DynamicMemoryStore,
  MemoryNote,
  NoteChange,
  NoteScope,
} from 'echelon/internal/knowledge'
import { type ScopeKind, scopesFor } from './note-scopes.ts'

/** Where notes are kept, and within which limits. */
export interface NoteKeeping {
  readonly store: DynamicMemoryStore
  readonly scopes: readonly ScopeKind[]
  /** Of each scope. */
  readonly maxNotes: number
  /** Of one text, in UTF-8. */
  readonly maxNoteBytes: number
}

const MOST_TITLE_CHARACTERS = 120
const MOST_FOUND = 20
const FOUND_BY_DEFAULT = 10
/** Of a text in a list; `memory_get` gives all of it. */
const EXCERPT_CHARACTERS = 500

/** What an agent reads and writes its notes with. */
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
  maxLength: MOST_TITLE_CHARACTERS,
  description: 'a few words by which it is found again',
} as const
const TEXT = { type: 'string', description: 'what is to be kept in mind' } as const

function createTool(keeping: NoteKeeping): Tool {
  const { scopes, store, maxNotes } = keeping
  return defineTool({
    name: 'memory_create',
    description: `Keeps a note in mind beyond this answer: what was learned about the user, what was agreed, what is still to do. Never secrets. Scopes: ${scopes.map((kind) => SCOPES[kind]).join('; ')}.`,
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
      `expected an object with a title of at most ${MOST_TITLE_CHARACTERS} characters, a text, and perhaps a scope: ${scopes.join(', ')}`,
    ),
    async run({ title, text, scope: kind }, context) {
      checkText(text, keeping)
      const scope = ownScope(keeping, context, kind)
      const { key } = context
      const note = await store.write({ type: 'create', scope, title, text }, `${key}#create`)
      // Counted when it is there, so that writers at the same time cannot exceed it together.
      const all = await store.find([scope], undefined, maxNotes + 1)
      if (note === null || note === 'conflict') throw new ToolError('TOOL_ERROR', ERASED)
      if (all.length <= maxNotes && all.some(({ id }) => id === note.id)) return told(note)
      await store.write({ type: 'delete', scope, id: note.id }, `${key}#undo`)
      throw new ToolError(
        'TOOL_ERROR',
        `there are ${maxNotes} notes of the ${scope.kind} already, which is the most; delete or update one`,
      )
    },
  })
}

const SCOPES: Readonly<Record<ScopeKind, string>> = {
  user: 'user, in all conversations with this user',
  session: 'session, in this conversation alone',
  agent: 'agent, in conversations with anybody, who may all read it',
}

const ERASED = 'the note was erased'

const getTool = ({ store, scopes, maxNotes }: NoteKeeping): Tool =>
  defineTool({
    name: 'memory_get',
    description: 'Reads one note as a whole.',
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
      if (note === undefined) throw notThere(id)
      return told(note)
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
            description: 'the version that was read; another is refused',
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
      return told(await changed(keeping, context, id, (scope) => ({ ...change, scope })))
    },
  })

const deleteTool = (keeping: NoteKeeping): Tool =>
  defineTool({
    name: 'memory_delete',
    description: 'Deletes a note that holds no more, or that the user wants gone.',
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
      await changed(keeping, context, id, (scope) => ({ type: 'delete', scope, id }))
      return { deleted: id }
    },
  })

const searchTool = ({ store, scopes }: NoteKeeping): Tool =>
  defineTool({
    name: 'memory_search',
    description: 'Finds notes that hold all words of a query, those that changed last first.',
    input: guardedSchema(
      {
        type: 'object',
        properties: {
          query: { type: 'string', description: 'a few words; empty for the latest notes' },
          limit: { type: 'integer', minimum: 1, maximum: MOST_FOUND },
        },
        required: ['query'],
        additionalProperties: false,
      },
      (value): value is { query: string; limit?: number } =>
        isRecord(value) && typeof value['query'] === 'string' && isLimit(value['limit']),
      `expected an object with a query, and perhaps a limit from 1 to ${MOST_FOUND}`,
    ),
    async run({ query, limit = FOUND_BY_DEFAULT }, context) {
      const notes = await store.find(scopesOf(scopes, context), query, limit)
      return { notes: notes.map((note) => ({ ...told(note), text: excerptOf(note.text) })) }
    },
  })

/**
 * The note is looked for in one scope after the other, each under a key of its own: so a call that is
 * repeated meets its own answers, though the note has moved on or is gone.
 */
async function changed(
  { store, scopes }: NoteKeeping,
  context: ToolContext,
  id: string,
  change: (scope: NoteScope) => NoteChange,
): Promise<MemoryNote> {
  for (const scope of scopesOf(scopes, context)) {
    const note = await store.write(change(scope), `${context.key}#${scope.kind}`)
    if (note === 'conflict') {
      throw new ToolError('INVALID_ARGS', `${id} has another version by now; read it again`)
    }
    if (note !== null) return note
  }
  throw notThere(id)
}

const notThere = (id: string): ToolError =>
  new ToolError('INVALID_ARGS', `there is no note ${JSON.stringify(id.slice(0, 40))}`)

function scopesOf(kinds: readonly ScopeKind[], { worksFor }: ToolContext): readonly NoteScope[] {
  const scopes = worksFor === undefined ? [] : scopesFor(kinds, worksFor)
  if (scopes.length > 0) return scopes
  throw new ToolError(
    'TOOL_ERROR',
    'there is nobody to keep notes for: the run has neither a caller nor a conversation',
  )
}

function ownScope(
  { scopes }: NoteKeeping,
  context: ToolContext,
  kind: ScopeKind | undefined,
): NoteScope {
  const own = scopesOf(scopes, context)
  const scope = kind === undefined ? own[0] : own.find((one) => one.kind === kind)
  if (scope !== undefined) return scope
  const known = own.map((one) => one.kind).join(', ')
  throw new ToolError('INVALID_ARGS', `this run has no ${kind}; keep the note for: ${known}`)
}

function checkText(text: string, { maxNoteBytes }: NoteKeeping): void {
  const bytes = utf8Bytes(text)
  if (bytes <= maxNoteBytes) return
  throw new ToolError(
    'INVALID_ARGS',
    `the text takes ${bytes} bytes, and a note may take ${maxNoteBytes}; keep what matters`,
  )
}

const told = ({ id, scope, title, text, version }: MemoryNote): Readonly<Record<string, Json>> => ({
  id,
  scope: scope.kind,
  title,
  text,
  version,
})

const excerptOf = (text: string): string =>
  text.length <= EXCERPT_CHARACTERS ? text : `${text.slice(0, EXCERPT_CHARACTERS)}…`

const isTitle = (title: unknown): boolean =>
  typeof title === 'string' && title.trim() !== '' && title.length <= MOST_TITLE_CHARACTERS

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
  (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= MOST_FOUND)
