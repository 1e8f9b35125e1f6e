import { defineMiddleware } from 'echelon/internal/extension'
import { EchelonError } from 'echelon/internal/value'
import type { Layer, MiddlewareContext, Prompt } from 'echelon'
import { systemMessage } from 'echelon/internal/message'
import type { DynamicMemoryStore } from 'echelon/internal/knowledge'
import { type ScopeKind, scopesFor } from './note-scopes.ts'
import { noteTools } from './note-tools.ts'
import { notesInPrompt } from './notes-in-prompt.ts'

export interface DynamicMemoryOptions {
  /** Where notes are kept, such as `notes` of a store. */
  readonly store: DynamicMemoryStore
  /**
   * Whose notes are seen and kept; without a word of the model's a note is of the first that the run
   * has. Default `['user', 'session']`. A note of the `agent` is shown in conversations with anybody.
   */
  readonly scopes?: readonly ScopeKind[]
  /** Of the notes in one prompt, at four bytes a token; 200 at least. Default 800. */
  readonly maxTokens?: number
  /** Of each scope. Default 200. */
  readonly maxNotes?: number
  /** Of the text of one note. Default 4096. */
  readonly maxNoteBytes?: number
}

/**
 * Notes that an agent keeps in mind by itself, by the tools `memory_create`, `memory_get`,
 * `memory_update`, `memory_delete` and `memory_search`. Those of the run's caller, its conversation and
 * its agent go into each prompt, as data, within a limit: the best matching and newest first, and how
 * many did not fit. What is written is asked and denied by rules as any tool's call, and done once
 * though a run is resumed.
 *
 * A run without a caller has no notes of a user. Notes are kept as the model wrote them; what is told
 * of the calls is redacted. Tells `shown` with what a prompt held, and `unreadable` where the store
 * failed: the model is told so, and the turn goes on without notes.
 * @throws EchelonError INVALID_CONFIG for scopes or a limit that cannot be
 */
export function dynamicMemory(options: DynamicMemoryOptions): Layer<'dynamicMemory', undefined> {
  const { store, scopes = BY_DEFAULT, maxTokens = 800 } = options
  const { maxNotes = 200, maxNoteBytes = 4096 } = options
  checkScopes(scopes)
  checkNumber('maxTokens', maxTokens, LEAST_TOKENS)
  checkNumber('maxNotes', maxNotes, 1)
  checkNumber('maxNoteBytes', maxNoteBytes, 1)
  return defineMiddleware({
    name: 'dynamicMemory',
    namespace: 'echelon',
    tools: noteTools({ store, scopes, maxNotes, maxNoteBytes }),
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
        : next({ ...prompt, head: [...prompt.head, message] })
    },
  })()
}

const BY_DEFAULT: readonly ScopeKind[] = ['user', 'session']
const BYTES_PER_TOKEN = 4
const LEAST_TOKENS = 200

type Reading = () => Promise<ReturnType<typeof notesInPrompt>>

async function read(
  { emit }: MiddlewareContext<undefined>,
  reading: Reading,
): Promise<Prompt['head'][number] | undefined> {
  try {
    const notes = await reading()
    if (notes === undefined) return undefined
    emit('shown', { notes: notes.shown, left: notes.left })
    return notes.message
  } catch (error) {
    emit('unreadable', { reason: error instanceof Error ? error.message : String(error) })
    return systemMessage('Your notes cannot be read at the moment.')
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
  throw invalid(`${name} cannot be ${value}; give a whole number from ${least} on`)
}

const invalid = (sentence: string): EchelonError =>
  new EchelonError('INVALID_CONFIG', `dynamicMemory: ${sentence}`)
