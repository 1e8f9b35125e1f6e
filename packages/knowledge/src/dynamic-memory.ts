import { defineMiddleware } from 'echelon/internal/extension'
import { EchelonError } from 'echelon/internal/value'
import type { Middleware, MiddlewareContext, Prompt } from 'echelon'
import { backgroundMessage } from 'echelon/internal/message'
import type { DynamicMemoryStore } from 'echelon/internal/knowledge'
import type { Embedder } from 'echelon/internal/model'
import { CachedVectors } from './embedders/cached-vectors.ts'
import { hashedEmbedder } from './embedders/hashed.ts'
import { type ScopeKind, scopesFor } from './note-scopes.ts'
import { noteTools } from './note-tools.ts'
import { notesInPrompt } from './notes-in-prompt.ts'

export interface DynamicMemoryOptions {
  /** Store of the notes, such as `notes` of a store. */
  readonly store: DynamicMemoryStore
  /**
   * The scopes to read and write. A note without a scope goes to the first scope the run has. Default
   * `['user', 'session']`. Notes of the `agent` appear in conversations with any user.
   */
  readonly scopes?: readonly ScopeKind[]
  /** Token limit for the notes in one prompt, at four bytes per token; at least 200. Default 800. */
  readonly maxTokens?: number
  /** Per scope. Default 200. */
  readonly maxNotes?: number
  /** Per note text. Default 4096. */
  readonly maxNoteBytes?: number
  /** Finds notes by meaning for `memory_search`; default `hashedEmbedder()`, which compares words. */
  readonly embedder?: Embedder
}

/**
 * Notes that an agent keeps by itself, with the tools `memory_create`, `memory_get`, `memory_update`,
 * `memory_delete` and `memory_search`. The notes of the run's caller, its conversation and its agent go
 * into each prompt as data after the conversation, within a limit: best matches and newest first, with the
 * number of notes that did not fit. Writes follow the approval rules of any tool call, and happen once even if a run is
 * resumed.
 *
 * A run without a caller has no user notes. Notes are stored as the model wrote them; events about the
 * calls are redacted. Emits `shown` with the notes of a prompt, and `unreadable` when the store fails:
 * the model is told, and the turn continues without notes.
 * @throws EchelonError INVALID_CONFIG for invalid scopes or limits
 */
export function dynamicMemory(
  options: DynamicMemoryOptions,
): Middleware<'dynamicMemory', undefined> {
  const { store, scopes = DEFAULT_SCOPES, maxTokens = 800 } = options
  const { maxNotes = 200, maxNoteBytes = 4096, embedder = hashedEmbedder() } = options
  checkScopes(scopes)
  checkNumber('maxTokens', maxTokens, MIN_TOKENS)
  checkNumber('maxNotes', maxNotes, 1)
  checkNumber('maxNoteBytes', maxNoteBytes, 1)
  return defineMiddleware({
    name: 'dynamicMemory',
    namespace: 'echelon',
    tools: noteTools({
      store,
      scopes,
      maxNotes,
      maxNoteBytes,
      embedder: new CachedVectors(embedder),
    }),
    async prompt(prompt, next, context) {
      const { agent, caller, forSession: session } = context.run
      const seen = scopesFor(scopes, { agent, caller, session })
      if (seen.length === 0) return next(prompt)
      const bytes = maxTokens * BYTES_PER_TOKEN
      const message = await read(context, async () =>
        notesInPrompt(
          await store.find(seen, undefined, maxNotes * seen.length),
          prompt.thread,
          bytes,
        ),
      )
      return message === undefined
        ? next(prompt)
        : next({ ...prompt, tail: [...prompt.tail, message] })
    },
  })()
}

const DEFAULT_SCOPES: readonly ScopeKind[] = ['user', 'session']
const BYTES_PER_TOKEN = 4
const MIN_TOKENS = 200

type ReadNotes = () => Promise<ReturnType<typeof notesInPrompt>>

async function read(
  { emit }: MiddlewareContext<undefined>,
  reading: ReadNotes,
): Promise<Prompt['tail'][number] | undefined> {
  try {
    const notes = await reading()
    if (notes === undefined) return undefined
    emit('shown', { notes: notes.shown, left: notes.left })
    return notes.message
  } catch (error) {
    emit('unreadable', { reason: error instanceof Error ? error.message : String(error) })
    return backgroundMessage(['Your notes cannot be read at the moment.'])
  }
}

function checkScopes(scopes: readonly ScopeKind[]): void {
  const isKnown = scopes.every((kind) => KINDS.includes(kind))
  if (scopes.length > 0 && isKnown && new Set(scopes).size === scopes.length) return
  throw invalid(
    `scopes cannot be ${JSON.stringify(scopes)}; give some of ${KINDS.join(', ')}, each once`,
  )
}

const KINDS: readonly ScopeKind[] = ['user', 'session', 'agent']

function checkNumber(name: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least) return
  throw invalid(`${name} cannot be ${value}; give a whole number of at least ${least}`)
}

const invalid = (sentence: string): EchelonError =>
  new EchelonError('INVALID_CONFIG', `dynamicMemory: ${sentence}`)
